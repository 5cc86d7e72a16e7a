package io.pyrunr.executor.internal.fs;

import java.util.Arrays;

/**
 * A pipe, named or not. An interpreter has one thread, so a call that would wait could never be
 * woken: reading an empty pipe that still has a writer fails with {@code EAGAIN}, as in Emscripten,
 * and a pipe holds as much as the file quota lets it.
 */
final class Pipe extends Inode {
  private byte[] buffer = new byte[0];
  private int start;
  private int length;
  private int readers;
  private int writers;

  Pipe(Volume volume, int permissions) {
    super(volume, FileMode.S_IFIFO | permissions);
  }

  @Override
  long storedBytes() {
    return buffer.length;
  }

  @Override
  void opened(int flags) {
    int access = flags & FileMode.O_ACCMODE;
    readers += access == FileMode.O_WRONLY ? 0 : 1;
    writers += access == FileMode.O_RDONLY ? 0 : 1;
  }

  @Override
  void closed(int flags) {
    int access = flags & FileMode.O_ACCMODE;
    readers -= access == FileMode.O_WRONLY ? 0 : 1;
    writers -= access == FileMode.O_RDONLY ? 0 : 1;
  }

  @Override
  int read(ByteSpace space, int address, int wanted, long position) {
    if (wanted == 0) {
      return 0;
    }
    if (length == 0) {
      if (writers > 0) {
        throw PosixException.of(Errno.EAGAIN);
      }
      return 0;
    }
    touch();
    int count = Math.min(wanted, length);
    space.put(address, buffer, start, count);
    start += count;
    length -= count;
    if (length == 0) {
      volume.quota.release(buffer.length);
      buffer = new byte[0];
      start = 0;
    }
    return count;
  }

  @Override
  int write(ByteSpace space, int address, int count, long position) {
    if (readers == 0) {
      throw PosixException.of(Errno.EPIPE);
    }
    touch();
    if (count > buffer.length - start - length) {
      makeRoom(count);
    }
    space.get(address, buffer, start + length, count);
    length += count;
    return count;
  }

  private void makeRoom(int count) {
    long needed = (long) length + count;
    if (needed > Integer.MAX_VALUE - 8) {
      throw PosixException.of(Errno.ENOSPC);
    }
    int capacity = buffer.length;
    if (needed > capacity) {
      capacity = (int) Math.min(Integer.MAX_VALUE - 8, Math.max(needed, capacity * 2L));
      volume.quota.charge(capacity - buffer.length);
    }
    byte[] larger = new byte[capacity];
    System.arraycopy(buffer, start, larger, 0, length);
    buffer = larger;
    start = 0;
  }

  @Override
  int poll(int flags) {
    int ready = 0;
    if ((flags & FileMode.O_ACCMODE) != FileMode.O_RDONLY) {
      ready |= readers > 0 ? OpenFile.POLLOUT : OpenFile.POLLERR;
    }
    if ((flags & FileMode.O_ACCMODE) != FileMode.O_WRONLY) {
      ready |= length > 0 ? OpenFile.POLLIN : 0;
      ready |= writers == 0 ? OpenFile.POLLHUP : 0;
    }
    return ready;
  }

  /** Bytes waiting to be read. */
  int available() {
    return length;
  }

  @Override
  Runnable saveContent() {
    byte[] old = Arrays.copyOfRange(buffer, start, start + length);
    int capacity = buffer.length;
    return () -> {
      buffer = Arrays.copyOf(old, capacity);
      start = 0;
      length = old.length;
    };
  }
}
