package io.pyrunr.wasm.format;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads wasm's binary primitives from a range of an array. */
public final class ByteSource {
  private final byte[] bytes;
  private final int end;
  private int position;

  public ByteSource(byte[] bytes, int start, int end) {
    this.bytes = bytes;
    this.position = start;
    this.end = end;
  }

  public ByteSource(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  int position() {
    return position;
  }

  public boolean hasMore() {
    return position < end;
  }

  public int u8() {
    if (position >= end) {
      throw new WasmFormatException("module ends inside a section, at byte " + position);
    }
    return bytes[position++] & 0xff;
  }

  public int peek() {
    int value = u8();
    position--;
    return value;
  }

  /** An unsigned LEB128 of at most 32 bits. */
  public int u32() {
    long value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      int b = u8();
      value |= (long) (b & 0x7f) << shift;
      if ((b & 0x80) == 0) {
        return (int) value;
      }
    }
    throw new WasmFormatException("integer too long at byte " + position);
  }

  /** How many entries follow, of at least a byte each. */
  public int count() {
    int count = u32();
    if (count < 0 || count > end - position) {
      throw new WasmFormatException("too many entries for their section, at byte " + position);
    }
    return count;
  }

  /** A signed LEB128 of at most 64 bits. */
  public long s64() {
    long value = 0;
    int shift = 0;
    int b;
    do {
      if (shift >= 70) {
        throw new WasmFormatException("integer too long at byte " + position);
      }
      b = u8();
      value |= (long) (b & 0x7f) << shift;
      shift += 7;
    } while ((b & 0x80) != 0);
    if (shift < 64 && (b & 0x40) != 0) {
      value |= -1L << shift;
    }
    return value;
  }

  public long fixed(int size) {
    long value = 0;
    for (int i = 0; i < size; i++) {
      value |= (long) u8() << (8 * i);
    }
    return value;
  }

  public byte[] take(int length) {
    if (length < 0 || length > end - position) {
      throw new WasmFormatException("module ends inside a section, at byte " + position);
    }
    position += length;
    return Arrays.copyOfRange(bytes, position - length, position);
  }

  public ByteSource slice(int length) {
    if (length < 0 || length > end - position) {
      throw new WasmFormatException("module ends inside a section, at byte " + position);
    }
    position += length;
    return new ByteSource(bytes, position - length, position);
  }

  public byte[] rest() {
    return take(end - position);
  }

  public String name() {
    return new String(take(u32()), StandardCharsets.UTF_8);
  }
}
