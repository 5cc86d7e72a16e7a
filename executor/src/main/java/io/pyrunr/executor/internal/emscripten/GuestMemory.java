package io.pyrunr.executor.internal.emscripten;

import io.pyrunr.executor.internal.fs.ByteSpace;
import io.pyrunr.executor.internal.fs.Errno;
import io.pyrunr.executor.internal.fs.FileName;
import io.pyrunr.executor.internal.fs.PosixException;
import io.pyrunr.wasm.runtime.LinearMemory;
import java.nio.charset.StandardCharsets;

/** Linear memory as host functions see it: C strings and file contents. */
final class GuestMemory implements ByteSpace {
  private final LinearMemory memory;

  GuestMemory(LinearMemory memory) {
    this.memory = memory;
  }

  @Override
  public void put(int address, byte[] source, int offset, int length) {
    memory.write(address, source, offset, length);
  }

  @Override
  public void get(int address, byte[] target, int offset, int length) {
    memory.read(address, target, offset, length);
  }

  @Override
  public void zero(int address, int length) {
    memory.fill((byte) 0, address, address + length);
  }

  /** A path argument in wire form; a null pointer reads as the empty path. */
  String path(int address) {
    if (address == 0) {
      return "";
    }
    int end = address;
    while (memory.read(end) != 0) {
      if (++end - address > FileName.PATH_MAX) {
        throw PosixException.of(Errno.ENAMETOOLONG);
      }
    }
    return new String(memory.readBytes(address, end - address), StandardCharsets.ISO_8859_1);
  }

  /** Writes a C string; it must fit in {@code size} bytes with its final zero, or is cut. */
  void putString(int address, byte[] text, int size) {
    int length = Math.min(text.length, size - 1);
    memory.write(address, text, 0, length);
    memory.writeByte(address + length, (byte) 0);
  }
}
