package io.pyrunr.executor.internal.image;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.device.JobStreams;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Where boot images come from: the one in our jar, made by the build for the plain environment; for
 * others a folder of images made earlier, else the plain one with the environment's modules
 * imported on top. Python is started only if the jar has no image that fits.
 */
public final class BootImageStore {
  /** The image of the environment without wheels and preloaded modules, beside our classes. */
  static final String BUNDLED = "/io/pyrunr/executor/boot.image";

  /** How many images a folder keeps, of 10 MB to 50 MB each. */
  private static final int KEPT = 8;

  private final PythonEnvironment environment;
  private final byte[] fingerprint;

  BootImageStore(PythonEnvironment environment) {
    this.environment = environment;
    fingerprint = environment.fingerprint();
  }

  /**
   * Finds or makes the image.
   *
   * @param preferred folder of images made earlier, or null for that of the wheels; without either
   *     none are kept
   */
  BootImage image(Path preferred) {
    Path folder = preferred == null ? environment.imageFolder() : preferred;
    if (folder == null || environment.isPlain()) {
      return make();
    }
    Path file = folder.resolve(HexFormat.of().formatHex(fingerprint, 0, 16) + ".image");
    BootImage image = stored(file);
    if (image == null) {
      image = make();
      try {
        BootImageFile.write(file, image, fingerprint);
        deleteOldest(folder);
      } catch (IOException e) {
        warn("boot image {} cannot be kept ({}); Python starts anew next time", file, e.toString());
      }
    }
    return image;
  }

  /** Leaves the plain environment's image where the jar has it, unless one that fits is there. */
  public static void makeBundled(Path file, PyodideDistribution distribution) throws IOException {
    PythonEnvironment plain = PreparedPython.plain(distribution).environment();
    BootImageStore store = new BootImageStore(plain);
    if (store.stored(file) == null) {
      BootImageFile.write(file, store.make(), store.fingerprint);
    }
  }

  /** Each change of the wheels leaves an image behind; those of environments that are gone go. */
  private static void deleteOldest(Path folder) throws IOException {
    List<Path> images = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.image")) {
      found.forEach(images::add);
    }
    images.sort(Comparator.comparing((Path image) -> image.toFile().lastModified()).reversed());
    for (Path image : images.subList(Math.min(KEPT, images.size()), images.size())) {
      Files.deleteIfExists(image);
    }
  }

  /** Starts Python, unless a started one is at hand, and imports what the environment asks for. */
  BootImage make() {
    BootImage plain = bundled(environment.plainFingerprint());
    if (plain == null) {
      plain = starter().start();
    }
    return environment.isPlain() ? plain : starter().extend(plain, environment.preload());
  }

  private PythonStarter starter() {
    JobStreams streams = new JobStreams();
    return new PythonStarter(environment.newInstance(streams), streams);
  }

  private static BootImage bundled(byte[] fingerprint) {
    try (InputStream in = BootImageStore.class.getResourceAsStream(BUNDLED)) {
      return in == null ? null : BootImageFile.read(in, fingerprint);
    } catch (IOException e) {
      if (e.getCause() instanceof OutOfMemoryError noRoom) {
        throw noRoom; // this image is whole
      }
      warn("the bundled boot image is unreadable; Python starts anew", e);
      return null;
    }
  }

  BootImage stored(Path file) {
    if (!Files.exists(file)) {
      return null;
    }
    try (InputStream in = Files.newInputStream(file)) {
      return BootImageFile.read(in, fingerprint);
    } catch (IOException e) {
      warn("boot image {} is unreadable and is made anew", file, e);
      return null;
    }
  }

  /** Looks for the logger when there is something to say: to set up logging takes a while. */
  private static void warn(String text, Object... details) {
    LoggerFactory.getLogger(BootImageStore.class).warn(text, details);
  }
}
