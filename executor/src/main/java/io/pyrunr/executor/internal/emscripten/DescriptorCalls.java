package io.pyrunr.executor.internal.emscripten;

import io.pyrunr.executor.internal.fs.Errno;
import io.pyrunr.executor.internal.fs.FileMode;
import io.pyrunr.executor.internal.fs.FileName;
import io.pyrunr.executor.internal.fs.OpenFile;
import io.pyrunr.executor.internal.fs.PosixException;
import io.pyrunr.executor.internal.fs.VirtualFileSystem;
import io.pyrunr.wasm.runtime.LinearMemory;
import io.pyrunr.wasm.runtime.StopSignal;

/** System and WASI calls that take a file descriptor. */
final class DescriptorCalls {
  private static final int F_DUPFD = 0;
  private static final int F_GETFD = 1;
  private static final int F_SETFD = 2;
  private static final int F_GETFL = 3;
  private static final int F_SETFL = 4;
  private static final int F_GETLK = 12;
  private static final int F_SETLK = 13;
  private static final int F_SETLKW = 14;
  private static final int F_DUPFD_CLOEXEC = 1030;
  private static final short F_UNLCK = 2;

  private static final int FIONREAD = 0x541B;
  private static final int FIONBIO = 0x5421;
  private static final int FIONCLEX = 0x5450;
  private static final int FIOCLEX = 0x5451;

  private static final int FIRST_OF_NAME = 19;

  private final LinearMemory memory;
  private final GuestMemory guest;
  private final VirtualFileSystem files;

  DescriptorCalls(LinearMemory memory, GuestMemory guest, VirtualFileSystem files) {
    this.memory = memory;
    this.guest = guest;
    this.files = files;
  }

  void register(ImportTable table) {
    registerTransfers(table);
    registerAttributes(table);
    table.wasi("fd_close", a -> files.close((int) a[0]));
    table.syscall("__syscall_dup", a -> files.duplicate((int) a[0], 0, false));
    table.syscall(
        "__syscall_dup3",
        a -> files.duplicateTo((int) a[0], (int) a[1], ((int) a[2] & FileMode.O_CLOEXEC) != 0));
    table.syscall("__syscall_fcntl64", a -> control((int) a[0], (int) a[1], (int) a[2]));
    table.syscall("__syscall_ioctl", a -> deviceControl((int) a[0], (int) a[1], (int) a[2]));
    table.syscall(
        "__syscall_pipe",
        a -> {
          int at = (int) a[0];
          if (at == 0) {
            throw PosixException.of(Errno.EFAULT);
          }
          int[] ends = files.pipe(0);
          memory.writeI32(at, ends[0]);
          memory.writeI32(at + 4, ends[1]);
          return 0;
        });
    table.syscall("__syscall_getdents64", a -> entries((int) a[0], (int) a[1], (int) a[2]));
    table.syscall(
        "__syscall_fchdir",
        a -> {
          files.changeDirectory((int) a[0]);
          return 0;
        });
  }

  private void registerTransfers(ImportTable table) {
    table.wasi("fd_read", a -> transfer(a, (int) a[3], files.file((int) a[0]), READ, 0));
    table.wasi("fd_write", a -> transfer(a, (int) a[3], files.file((int) a[0]), WRITE, 0));
    table.wasi("fd_pread", a -> transfer(a, (int) a[4], files.file((int) a[0]), READ_AT, a[3]));
    table.wasi("fd_pwrite", a -> transfer(a, (int) a[4], files.file((int) a[0]), WRITE_AT, a[3]));
    table.wasi(
        "fd_seek",
        a -> memory.writeLong((int) a[3], files.file((int) a[0]).seek(a[1], (int) a[2])));
    table.wasi("fd_sync", a -> files.file((int) a[0]));
    table.syscall(
        "__syscall_fdatasync",
        a -> {
          files.file((int) a[0]);
          return 0;
        });
    table.wasi("fd_fdstat_get", a -> describe(files.file((int) a[0]), (int) a[1]));
  }

  private void registerAttributes(ImportTable table) {
    table.syscall(
        "__syscall_fstat64",
        a -> {
          StructWriter.stat(memory, (int) a[1], files.file((int) a[0]).inode());
          return 0;
        });
    table.syscall(
        "__syscall_fstatfs64",
        a -> {
          files.file((int) a[0]);
          StructWriter.statfs(memory, (int) a[2], files);
          return 0;
        });
    table.syscall(
        "__syscall_fchmod",
        a -> {
          files.setPermissions(files.file((int) a[0]).inode(), (int) a[1]);
          return 0;
        });
    table.syscall(
        "__syscall_fchown32",
        a -> {
          files.setOwner(files.file((int) a[0]).inode(), (int) a[1], (int) a[2]);
          return 0;
        });
    table.syscall(
        "__syscall_ftruncate64",
        a -> {
          files.file((int) a[0]).truncate(a[1]);
          return 0;
        });
    table.syscall(
        "__syscall_fallocate", a -> allocate(files.file((int) a[0]), (int) a[1], a[2], a[3]));
    table.syscall(
        "__syscall_fadvise64",
        a -> {
          files.file((int) a[0]);
          return 0;
        });
  }

  // ---------------------------------------------------------------- reading and writing

  /** Moves the bytes of one {@code iovec}. */
  private interface Step {
    int move(OpenFile file, GuestMemory guest, int address, int length, long offset);
  }

  private static final Step READ =
      (file, guest, at, length, offset) -> file.read(guest, at, length);
  private static final Step WRITE =
      (file, guest, at, length, offset) -> file.write(guest, at, length);
  private static final Step READ_AT = OpenFile::readAt;
  private static final Step WRITE_AT = OpenFile::writeAt;

  private void transfer(long[] a, int result, OpenFile file, Step step, long offset) {
    int vector = (int) a[1];
    int count = (int) a[2];
    int total = 0;
    for (int i = 0; i < count; i++) {
      StopSignal.poll(); // a vector can have a million parts
      int address = memory.readInt(vector + 8 * i);
      int length = memory.readInt(vector + 8 * i + 4);
      if (length < 0) {
        throw PosixException.of(Errno.EINVAL);
      }
      if (length > Integer.MAX_VALUE - total) {
        break; // the result is 32 bits
      }
      int moved;
      try {
        moved = step.move(file, guest, address, length, offset + total);
      } catch (PosixException e) {
        if (total == 0) {
          throw e;
        }
        break; // what was moved before counts
      }
      total += moved;
      if (moved < length) {
        break;
      }
    }
    memory.writeI32(result, total);
  }

  private void describe(OpenFile file, int at) {
    int type =
        switch (file.inode().type()) {
          // Not 2 for character devices: isatty takes that for a terminal.
          case FileMode.S_IFDIR -> 3;
          case FileMode.S_IFSOCK -> 6;
          case FileMode.S_IFLNK -> 7;
          default -> 4;
        };
    memory.writeByte(at, (byte) type);
    memory.writeShort(at + 2, (short) 0);
    memory.writeLong(at + 8, 0);
    memory.writeLong(at + 16, 0);
  }

  private static long allocate(OpenFile file, int mode, long offset, long length) {
    if (mode != 0) {
      throw PosixException.of(Errno.EOPNOTSUPP);
    }
    if (offset < 0 || length <= 0 || offset + length < 0) {
      throw PosixException.of(Errno.EINVAL);
    }
    if (offset + length > file.inode().size()) {
      file.truncate(offset + length);
    }
    return 0;
  }

  // ---------------------------------------------------------------- directories

  private long entries(int descriptor, int buffer, int size) {
    int[] used = {0};
    OpenFile file = files.file(descriptor);
    boolean atEnd =
        file.list(
            (name, inode, type, next) -> {
              int length = (FIRST_OF_NAME + name.length() + 1 + 7) & ~7;
              int at = buffer + used[0];
              if (used[0] + length > size) {
                return false;
              }
              memory.writeLong(at, inode);
              memory.writeLong(at + 8, next);
              memory.writeShort(at + 16, (short) length);
              // d_type is the type's bits of st_mode
              memory.writeByte(at + 18, (byte) (type >>> 12));
              byte[] bytes = FileName.bytes(name);
              guest.putString(at + FIRST_OF_NAME, bytes, bytes.length + 1);
              used[0] += length;
              return true;
            });
    if (used[0] == 0 && !atEnd) {
      throw PosixException.of(Errno.EINVAL); // the buffer holds not even one entry
    }
    return used[0];
  }

  // ---------------------------------------------------------------- control

  private long control(int descriptor, int command, int arguments) {
    OpenFile file = files.file(descriptor);
    return switch (command) {
      case F_DUPFD -> files.duplicate(descriptor, memory.readInt(arguments), false);
      case F_DUPFD_CLOEXEC -> files.duplicate(descriptor, memory.readInt(arguments), true);
      case F_GETFD -> files.closeOnExec(descriptor) ? 1 : 0;
      case F_SETFD -> {
        files.setCloseOnExec(descriptor, (memory.readInt(arguments) & 1) != 0);
        yield 0;
      }
      case F_GETFL -> file.flags();
      case F_SETFL -> {
        file.setStatusFlags(memory.readInt(arguments));
        yield 0;
      }
      case F_GETLK -> {
        memory.writeShort(memory.readInt(arguments), F_UNLCK);
        yield 0;
      }
      case F_SETLK, F_SETLKW -> 0; // nobody else is there to be locked out
      default -> throw PosixException.of(Errno.EINVAL);
    };
  }

  private long deviceControl(int descriptor, int operation, int arguments) {
    OpenFile file = files.file(descriptor);
    switch (operation) {
      case FIOCLEX -> files.setCloseOnExec(descriptor, true);
      case FIONCLEX -> files.setCloseOnExec(descriptor, false);
      case FIONREAD -> memory.writeI32(memory.readInt(arguments), file.available());
      case FIONBIO -> {
        int other = file.flags() & ~FileMode.O_NONBLOCK;
        boolean on = memory.readInt(memory.readInt(arguments)) != 0;
        file.setStatusFlags(on ? other | FileMode.O_NONBLOCK : other);
      }
      default -> throw PosixException.of(Errno.ENOTTY); // nothing here is a terminal
    }
    return 0;
  }
}
