package io.pyrunr.executor.internal.fs;

/**
 * What file contents are copied from and to: an interpreter's linear memory, or an array. Addresses
 * and lengths are unsigned 32-bit offsets; an implementation throws if a range is outside.
 */
public interface ByteSpace {
  /** Copies {@code length} bytes of {@code source} to {@code address}. */
  void put(int address, byte[] source, int offset, int length);

  /** Copies {@code length} bytes at {@code address} into {@code target}. */
  void get(int address, byte[] target, int offset, int length);

  /** Clears {@code length} bytes. */
  void zero(int address, int length);

  /** A space whose address 0 is the first byte of {@code bytes}. */
  static ByteSpace of(byte[] bytes) {
    return new ByteSpace() {
      @Override
      public void put(int address, byte[] source, int offset, int length) {
        System.arraycopy(source, offset, bytes, address, length);
      }

      @Override
      public void get(int address, byte[] target, int offset, int length) {
        System.arraycopy(bytes, address, target, offset, length);
      }

      @Override
      public void zero(int address, int length) {
        java.util.Arrays.fill(bytes, address, address + length, (byte) 0);
      }
    };
  }
}
