package io.pyrunr.executor.internal.io;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/** Writes files that appear whole or not at all, also if two processes write the same one. */
public final class WholeFile {
  private static final String DRAFT = ".draft-";
  private static final String UNFINISHED = ".tmp";

  private WholeFile() {}

  /** Writes a file's content. */
  @FunctionalInterface
  public interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /** Writes the file, or leaves what was there: never half of it. */
  public static void write(Path file, Content content) throws IOException {
    Files.createDirectories(file.getParent());
    Path draft = draft(file.getParent());
    try {
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(draft))) {
        content.writeTo(out);
      }
      name(draft, file);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /**
   * A new, empty file in a folder, with the rights that new files get there: those of Java's own
   * temporary files are the owner's alone, and go with the file when it gets its name.
   */
  public static Path draft(Path folder) throws IOException {
    return Files.createFile(folder.resolve(DRAFT + UUID.randomUUID() + UNFINISHED));
  }

  /** Whether the name is a draft's: one that is old was left by a process that was killed. */
  static boolean isDraft(Path file) {
    String name = file.getFileName().toString();
    return name.startsWith(DRAFT) && name.endsWith(UNFINISHED);
  }

  /** Gives a finished draft, in the same folder, the file's name. */
  public static void name(Path draft, Path file) throws IOException {
    try {
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
