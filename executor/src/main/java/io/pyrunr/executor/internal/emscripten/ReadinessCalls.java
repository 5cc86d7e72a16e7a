package io.pyrunr.executor.internal.emscripten;

import io.pyrunr.executor.internal.fs.Errno;
import io.pyrunr.executor.internal.fs.OpenFile;
import io.pyrunr.executor.internal.fs.PosixException;
import io.pyrunr.executor.internal.fs.VirtualFileSystem;
import io.pyrunr.wasm.runtime.LinearMemory;
import java.util.concurrent.TimeUnit;

/**
 * {@code poll} and {@code select}. What is not ready now never becomes ready while the only thread
 * waits, so a wait lasts its whole timeout, unless a signal ends it.
 */
final class ReadinessCalls {
  private static final int FD_SETSIZE = 1024;

  private final LinearMemory memory;
  private final VirtualFileSystem files;
  private final Sleeper sleeper;

  ReadinessCalls(LinearMemory memory, VirtualFileSystem files, Sleeper sleeper) {
    this.memory = memory;
    this.files = files;
    this.sleeper = sleeper;
  }

  void register(ImportTable table) {
    table.syscall("__syscall_poll", a -> poll((int) a[0], (int) a[1], (int) a[2]));
    table.syscall(
        "__syscall__newselect",
        a -> select((int) a[0], new int[] {(int) a[1], (int) a[2], (int) a[3]}, (int) a[4]));
  }

  private long poll(int at, int count, int timeoutMillis) {
    int ready = 0;
    for (int i = 0; i < count; i++) {
      int entry = at + 8 * i;
      int descriptor = memory.readInt(entry);
      int wanted = memory.readShort(entry + 4);
      int found = 0;
      if (descriptor >= 0) {
        OpenFile file = files.findFile(descriptor);
        found =
            file == null
                ? OpenFile.POLLNVAL
                : file.poll() & (wanted | OpenFile.POLLERR | OpenFile.POLLHUP);
      }
      memory.writeShort(entry + 6, (short) found);
      ready += found == 0 ? 0 : 1;
    }
    if (ready == 0 && timeoutMillis != 0) {
      waitFor(timeoutMillis < 0 ? -1 : TimeUnit.MILLISECONDS.toNanos(timeoutMillis));
    }
    return ready;
  }

  private long select(int count, int[] sets, int timeout) {
    if (count < 0 || count > FD_SETSIZE) {
      throw PosixException.of(Errno.EINVAL);
    }
    int words = (count + 31) / 32;
    int[][] result = new int[3][words];
    int ready = 0;
    for (int descriptor = 0; descriptor < count; descriptor++) {
      int word = descriptor >>> 5;
      int bit = 1 << descriptor;
      for (int kind = 0; kind < 3; kind++) {
        if (sets[kind] != 0 && (memory.readInt(sets[kind] + 4 * word) & bit) != 0) {
          if (isReady(files.file(descriptor).poll(), kind)) {
            result[kind][word] |= bit;
            ready++;
          }
        }
      }
    }
    if (ready == 0) {
      long seconds = timeout == 0 ? -1 : memory.readInt(timeout);
      long micros = timeout == 0 ? 0 : memory.readInt(timeout + 4);
      if (seconds != 0 || micros != 0) {
        waitFor(
            seconds < 0
                ? -1
                : TimeUnit.SECONDS.toNanos(seconds) + TimeUnit.MICROSECONDS.toNanos(micros));
      }
    }
    for (int kind = 0; kind < 3; kind++) {
      for (int word = 0; sets[kind] != 0 && word < words; word++) {
        memory.writeI32(sets[kind] + 4 * word, result[kind][word]);
      }
    }
    return ready;
  }

  private static boolean isReady(int events, int kind) {
    return switch (kind) {
      case 0 -> (events & (OpenFile.POLLIN | OpenFile.POLLHUP | OpenFile.POLLERR)) != 0;
      case 1 -> (events & (OpenFile.POLLOUT | OpenFile.POLLERR)) != 0;
      default -> false;
    };
  }

  private void waitFor(long nanos) {
    if (!sleeper.sleep(nanos < 0 ? Long.MAX_VALUE : nanos)) {
      throw PosixException.of(Errno.EINTR);
    }
  }
}
