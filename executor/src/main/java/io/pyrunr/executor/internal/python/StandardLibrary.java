package io.pyrunr.executor.internal.python;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.fs.BaseLayer;
import io.pyrunr.executor.internal.io.Digests;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Python's standard library: the archive with bytecode that the build leaves beside our classes,
 * or, while the build is at it, upstream's.
 *
 * <p>The archive is read when Python first opens it. A job that gets along with what the boot image
 * has imported never does, and no start should pay for 19 MB.
 *
 * @param content the archive
 * @param fingerprint tells one library from another
 */
public record StandardLibrary(BaseLayer.Content content, String fingerprint) {
  private static final String ARCHIVE = "library.zip";
  private static final String DESCRIPTION = "library.txt";
  private static final String FOLDER = "/io/pyrunr/executor/";

  /** The library that is there. */
  public static StandardLibrary of(PyodideDistribution distribution) {
    byte[] description = resource(DESCRIPTION);
    if (description == null) {
      byte[] upstream = distribution.standardLibrary();
      return new StandardLibrary(BaseLayer.Content.of(upstream), Digests.sha256(upstream));
    }
    String[] fields = new String(description, UTF_8).split(" ");
    return new StandardLibrary(
        BaseLayer.Content.lazy(Long.parseLong(fields[1]), () -> resource(ARCHIVE)), fields[0]);
  }

  /** Where Python finds the archive. */
  public static String path(PyodideDistribution distribution) {
    String[] version = distribution.layout().pythonVersion().split("\\.", -1);
    return "/lib/python" + version[0] + version[1] + ".zip";
  }

  /** Whether {@code folder} has an archive made of what the distribution ships. */
  public static boolean isCurrent(Path folder, PyodideDistribution distribution)
      throws IOException {
    Path description = folder.resolve(DESCRIPTION);
    return Files.exists(folder.resolve(ARCHIVE))
        && Files.exists(description)
        && Files.readString(description)
            .split(" ")[2]
            .equals(Digests.sha256(distribution.standardLibrary()));
  }

  /** Takes away what {@link #write} left. */
  public static void delete(Path folder) throws IOException {
    Files.deleteIfExists(folder.resolve(DESCRIPTION));
    Files.deleteIfExists(folder.resolve(ARCHIVE));
  }

  /** Leaves an archive made of the distribution's library, its description last. */
  public static void write(Path folder, byte[] archive, PyodideDistribution distribution)
      throws IOException {
    Files.createDirectories(folder);
    Files.write(folder.resolve(ARCHIVE), archive);
    Files.writeString(
        folder.resolve(DESCRIPTION),
        String.join(
            " ",
            Digests.sha256(archive),
            Integer.toString(archive.length),
            Digests.sha256(distribution.standardLibrary())));
  }

  private static byte[] resource(String name) {
    try (InputStream in = StandardLibrary.class.getResourceAsStream(FOLDER + name)) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
