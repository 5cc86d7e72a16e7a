package io.pyrunr.executor.internal.wheels.archive;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * The folder {@code .pyrunr} beside wheels, with what was made of them. Everything in it can be
 * deleted at any time.
 */
public final class CacheFolder {
  /** Name of its folder for classes made of side modules. */
  public static final String COMPILED = "compiled";

  private static final Duration UNUSED = Duration.ofDays(30);
  private static final int HASH = 64;

  private CacheFolder() {}

  /** The folder for what is made of a wheel. */
  public static Path of(Path wheel) {
    return wheel.toAbsolutePath().getParent().resolve(".pyrunr");
  }

  /** A bundle in that folder, or one in memory where nothing can be written. */
  static BundleWriter writer(Path file) throws IOException {
    Path folder = file.getParent();
    boolean writable = Files.isWritable(Files.exists(folder) ? folder : folder.getParent());
    return BundleWriter.to(writable ? file : null);
  }

  /**
   * Deletes what no wheel uses, and side modules and drafts, if it was not touched for 30 days.
   *
   * @param used SHA-256 of the wheels there are
   */
  public static void clean(Path wheels, Set<String> used) {
    Path own = wheels.resolve(".pyrunr");
    clean(own, "*.{wheel,bytecode,tmp}", used);
    clean(own.resolve(COMPILED), "*.{zip,tmp}", Set.of());
  }

  private static void clean(Path folder, String pattern, Set<String> used) {
    if (!Files.isDirectory(folder)) {
      return;
    }
    FileTime limit = FileTime.from(Instant.now().minus(UNUSED));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, pattern)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        boolean isUsed = name.length() > HASH && used.contains(name.substring(0, HASH));
        if (!isUsed && Files.getLastModifiedTime(file).compareTo(limit) < 0) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException e) {
      WheelLog.LOG.debug("{} cannot be cleaned", folder, e);
    }
  }
}
