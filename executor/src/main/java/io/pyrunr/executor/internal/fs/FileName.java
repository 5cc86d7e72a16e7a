package io.pyrunr.executor.internal.fs;

import java.nio.charset.StandardCharsets;

/**
 * Names and paths in wire form: a {@code String} with one char per byte of the name. Names are
 * bytes to POSIX and to Python ({@code os.fsencode}), UTF-8 or not; this form keeps each byte, and
 * the JVM stores it in one byte per char.
 */
public final class FileName {
  /** Longest name in a directory, in bytes. */
  public static final int NAME_MAX = 255;

  /** A path must be shorter than this, in bytes. */
  public static final int PATH_MAX = 4096;

  private FileName() {}

  /** The wire form of a name. */
  public static String wire(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  /** The text of a name in wire form; bytes that are not UTF-8 become U+FFFD. */
  public static String text(String wire) {
    return new String(bytes(wire), StandardCharsets.UTF_8);
  }

  /** The bytes of a name in wire form. */
  public static byte[] bytes(String wire) {
    return wire.getBytes(StandardCharsets.ISO_8859_1);
  }
}
