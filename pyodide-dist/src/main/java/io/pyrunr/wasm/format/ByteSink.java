package io.pyrunr.wasm.format;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes wasm's binary primitives, every integer in its shortest form. */
public final class ByteSink {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  public ByteSink u8(int value) {
    out.write(value);
    return this;
  }

  public ByteSink u32(int value) {
    long rest = value & 0xffff_ffffL;
    do {
      int b = (int) (rest & 0x7f);
      rest >>>= 7;
      out.write(rest == 0 ? b : b | 0x80);
    } while (rest != 0);
    return this;
  }

  public ByteSink s64(long value) {
    long rest = value;
    while (true) {
      int b = (int) (rest & 0x7f);
      rest >>= 7;
      if ((rest == 0 && (b & 0x40) == 0) || (rest == -1 && (b & 0x40) != 0)) {
        out.write(b);
        return this;
      }
      out.write(b | 0x80);
    }
  }

  public ByteSink fixed(long value, int size) {
    for (int i = 0; i < size; i++) {
      out.write((int) (value >>> (8 * i)));
    }
    return this;
  }

  public ByteSink raw(byte[] bytes) {
    out.writeBytes(bytes);
    return this;
  }

  public ByteSink name(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return u32(bytes.length).raw(bytes);
  }

  /** Length, then the bytes. */
  public ByteSink sized(ByteSink content) {
    return u32(content.size()).raw(content.bytes());
  }

  int size() {
    return out.size();
  }

  public byte[] bytes() {
    return out.toByteArray();
  }
}
