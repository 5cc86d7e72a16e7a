package io.pyrunr.executor.internal.image;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.device.JobStreams;
import io.pyrunr.executor.internal.emscripten.Surroundings;
import io.pyrunr.executor.internal.io.CacheHome;
import io.pyrunr.executor.internal.io.FileErrors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.slf4j.LoggerFactory;

/**
 * Where boot images come from: the one in our jar, made by the build for the plain environment; for
 * those with wheels the cache, else the plain one with the environment's modules imported on top.
 * Python is started only if the jar has no image that fits.
 */
public final class BootImageStore {
  /** The image of the environment without wheels and preloaded modules, beside our classes. */
  static final String BUNDLED = "/io/pyrunr/executor/boot.image";

  private final PythonEnvironment environment;
  private final byte[] fingerprint;

  BootImageStore(PythonEnvironment environment) {
    this.environment = environment;
    fingerprint = environment.fingerprint();
  }

  /** Finds or makes the image. */
  BootImage image() {
    CacheHome cache = environment.wheels().cache();
    Path file = cache.file(CacheHome.Kind.IMAGE, HexFormat.of().formatHex(fingerprint));
    if (file == null) {
      return make();
    }
    BootImage image = stored(file);
    if (image == null) {
      image = make();
      try {
        BootImageFile.write(file, image, fingerprint);
        cache.deleteOldImages();
      } catch (IOException e) {
        cache.notKept(file, e);
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

  /** Starts Python, unless a started one is at hand, and imports what the environment asks for. */
  BootImage make() {
    BootImage plain = bundled(environment.plainFingerprint());
    if (plain == null) {
      plain = starter(Surroundings.repeatable()).start();
    }
    return environment.isPlain()
        ? plain
        : starter(Surroundings.real()).extend(plain, environment.preload());
  }

  private PythonStarter starter(Surroundings surroundings) {
    JobStreams streams = new JobStreams();
    return new PythonStarter(environment.newInstance(streams, surroundings), streams);
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
      warn("boot image {} is unreadable and is made anew: {}", file, FileErrors.reason(e));
      return null;
    }
  }

  /** Looks for the logger when there is something to say: to set up logging takes a while. */
  private static void warn(String text, Object... details) {
    LoggerFactory.getLogger(BootImageStore.class).warn(text, details);
  }
}
