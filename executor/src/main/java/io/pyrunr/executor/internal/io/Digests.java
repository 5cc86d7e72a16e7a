package io.pyrunr.executor.internal.io;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Message digests that every JDK has. */
public final class Digests {
  private Digests() {}

  /** The digest of that name. */
  public static MessageDigest of(String algorithm) {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** SHA-256 in lower-case hexadecimal. */
  public static String sha256(byte[] bytes) {
    return HexFormat.of().formatHex(of("SHA-256").digest(bytes));
  }
}
