package io.pyrunr.executor.internal.wheels.archive;

import io.pyrunr.executor.internal.io.CacheHome;
import io.pyrunr.executor.internal.io.Digests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A library that side modules of several wheels are linked to, such as {@code libopenblas}: a zip
 * archive of side modules that upstream's lock file knows. Its files go to {@code /usr/lib}.
 *
 * @param path the archive
 * @param sha256 of the archive, hexadecimal
 * @param contents its files by their path below {@code /usr/lib}
 */
public record SharedLibrary(Path path, String sha256, Bundle contents) {
  public static final String FOLDER = "/usr/lib";

  /** Raised when the checks or the form of what is kept change. */
  private static final String GENERATION = "1";

  /** Checks an archive and unpacks it, or takes what was unpacked earlier. */
  public static SharedLibrary read(Path path, PackageLock.Entry entry, CacheHome cache)
      throws BadWheelException {
    byte[] archive;
    try {
      archive = Files.readAllBytes(path);
    } catch (IOException e) {
      throw BadWheelException.unreadable(e);
    }
    String sha256 = Digests.sha256(archive);
    if (!sha256.equals(entry.sha256())) {
      throw new BadWheelException(
          "its SHA-256 is not the one in pyodide-lock.json: changed, or cut off",
          "get it anew with 'pyrunr wheels add " + entry.name() + "'");
    }
    Path file = cache.file(CacheHome.Kind.LIBRARY, sha256 + "-" + GENERATION);
    Bundle contents = Bundle.open(file);
    if (contents == null) {
      try (BundleWriter writer = BundleWriter.to(file)) {
        contents = unpack(archive, writer);
      } catch (IOException e) {
        cache.notKept(file, e);
        contents = inMemory(archive);
      }
    }
    return new SharedLibrary(path, sha256, contents);
  }

  private static Bundle unpack(byte[] archive, BundleWriter target)
      throws BadWheelException, IOException {
    for (ZipMember member : ZipMembers.of(archive)) {
      byte[] bytes = member.bytes(archive);
      NativeCode.check(member.name(), bytes);
      target.add(member.name(), bytes);
    }
    return target.finish("");
  }

  private static Bundle inMemory(byte[] archive) throws BadWheelException {
    try (BundleWriter writer = BundleWriter.to(null)) {
      return unpack(archive, writer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
