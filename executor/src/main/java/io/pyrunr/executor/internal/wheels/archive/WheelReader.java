package io.pyrunr.executor.internal.wheels.archive;

import io.pyrunr.executor.internal.io.CacheHome;
import io.pyrunr.executor.internal.io.Digests;
import io.pyrunr.executor.internal.packaging.BadPackagingException;
import io.pyrunr.executor.internal.packaging.CoreMetadata;
import io.pyrunr.executor.internal.packaging.WheelFileName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * Turns a file into a {@link Wheel}, or says why not. What was unpacked is kept in the cache under
 * the file's SHA-256: only wheels that passed every check get there, so the next time the hash is
 * all that is looked at, with what depends on the file's name or on this Python.
 */
public final class WheelReader {
  private static final long LARGEST = 512L << 20;

  /** Raised when the checks or the form of what is kept change. */
  private static final String GENERATION = "1";

  private final WheelPlatform platform;
  private final CacheHome cache;

  public WheelReader(WheelPlatform platform, CacheHome cache) {
    this.platform = platform;
    this.cache = cache;
  }

  /**
   * Reads and checks a wheel.
   *
   * @throws BadWheelException if it cannot be used here
   */
  public Wheel read(Path path) throws BadWheelException {
    WheelFileName name = name(path);
    int rank = rank(name);
    byte[] archive = bytes(path);
    String sha256 = Digests.sha256(archive);
    checkHash(name, sha256);
    Bundle contents = contents(name, archive, sha256);
    return new Wheel(path, name, metadata(contents.text(), name), sha256, rank, contents);
  }

  private static WheelFileName name(Path path) throws BadWheelException {
    try {
      return WheelFileName.parse(path.getFileName().toString());
    } catch (BadPackagingException e) {
      throw new BadWheelException(e.getMessage(), "give it the name its builder gave it");
    }
  }

  private int rank(WheelFileName name) throws BadWheelException {
    OptionalInt rank = platform.tags().rank(name.tags());
    if (rank.isEmpty()) {
      throw new BadWheelException(platform.tags().reason(name.tags()));
    }
    return rank.getAsInt();
  }

  /** All of the file at once, so that what was hashed is what is unpacked. */
  private static byte[] bytes(Path path) throws BadWheelException {
    try {
      if (!Files.isRegularFile(path)) {
        throw new BadWheelException("not a file", "put the wheel itself here");
      }
      long size = Files.size(path);
      if (size > LARGEST) {
        throw new BadWheelException(
            "it has " + (size >> 20) + " MB, " + (LARGEST >> 20) + " are read",
            "use a smaller one");
      }
      return Files.readAllBytes(path);
    } catch (IOException e) {
      throw BadWheelException.unreadable(e);
    }
  }

  /**
   * Only for wheels with WebAssembly, which come from nowhere else: pure-Python ones that Pyodide
   * has built anew have the same names as those of the package index.
   */
  private void checkHash(WheelFileName name, String sha256) throws BadWheelException {
    PackageLock.Entry known = platform.lock().file(name.text());
    boolean pure = name.tags().stream().allMatch(tag -> tag.platform().equals("any"));
    if (known != null && !pure && !known.sha256().equals(sha256)) {
      throw new BadWheelException(
          "its SHA-256 is not the one in pyodide-lock.json: changed, or cut off",
          "get it anew with 'pyrunr wheels add " + known.name() + "'");
    }
  }

  private Bundle contents(WheelFileName name, byte[] archive, String sha256)
      throws BadWheelException {
    Path file = cache.file(CacheHome.Kind.WHEEL, sha256 + "-" + GENERATION);
    Bundle known = Bundle.open(file);
    if (known != null) {
      return known;
    }
    WheelUnpacker unpacker = new WheelUnpacker(archive, name);
    unpacker.checkFormat();
    String metadata = unpacker.metadata();
    var unused = metadata(metadata, name);
    try (BundleWriter writer = BundleWriter.to(file)) {
      unpacker.unpack(writer);
      return writer.finish(metadata);
    } catch (IOException e) {
      cache.notKept(file, e);
      return inMemory(unpacker, metadata);
    }
  }

  private static Bundle inMemory(WheelUnpacker unpacker, String metadata) throws BadWheelException {
    try (BundleWriter writer = BundleWriter.to(null)) {
      unpacker.unpack(writer);
      return writer.finish(metadata);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads METADATA and compares it with the file's name, and the Python it asks for with ours. */
  private CoreMetadata metadata(String text, WheelFileName name) throws BadWheelException {
    CoreMetadata metadata;
    try {
      metadata = CoreMetadata.parse(text, platform.markers());
    } catch (BadPackagingException e) {
      throw new BadWheelException(e.getMessage(), "repair or replace it");
    }
    if (!metadata.normalName().equals(name.name()) || !metadata.version().equals(name.version())) {
      throw BadWheelException.untrusted(
          "METADATA is of " + metadata.name() + " " + metadata.version());
    }
    if (!metadata.requiresPython().matches(platform.pythonVersion())) {
      throw new BadWheelException(
          "it needs Python " + metadata.requiresPython() + ", this is " + platform.pythonVersion(),
          "drop a version for Python " + platform.pythonMinor());
    }
    return metadata;
  }
}
