package io.pyrunr.executor.internal.emscripten;

import static io.pyrunr.executor.internal.fs.VirtualFileSystem.AT_FDCWD;

import io.pyrunr.executor.internal.fs.Errno;
import io.pyrunr.executor.internal.fs.FileMode;
import io.pyrunr.executor.internal.fs.FileName;
import io.pyrunr.executor.internal.fs.Inode;
import io.pyrunr.executor.internal.fs.PosixException;
import io.pyrunr.executor.internal.fs.Timestamp;
import io.pyrunr.executor.internal.fs.VirtualFileSystem;
import io.pyrunr.wasm.runtime.LinearMemory;

/** System calls that take a path. */
final class PathCalls {
  private static final int AT_SYMLINK_NOFOLLOW = 0x100;
  private static final int AT_REMOVEDIR = 0x200;
  private static final int AT_EMPTY_PATH = 0x1000;
  private static final int UTIME_NOW = 0x3fffffff;
  private static final int UTIME_OMIT = 0x3ffffffe;

  private final LinearMemory memory;
  private final GuestMemory guest;
  private final VirtualFileSystem files;
  private final GuestExports exports;

  PathCalls(LinearMemory memory, GuestMemory guest, VirtualFileSystem files, GuestExports exports) {
    this.memory = memory;
    this.guest = guest;
    this.files = files;
    this.exports = exports;
  }

  void register(ImportTable table) {
    table.syscall(
        "__syscall_openat",
        a -> {
          int mode = a[3] == 0 ? 0 : memory.readInt((int) a[3]);
          if ((a[2] & FileMode.O_CREAT) != 0) {
            takeUmask();
          }
          return files.open((int) a[0], guest.path((int) a[1]), (int) a[2], mode);
        });
    table.syscall("__syscall_stat64", a -> stat(AT_FDCWD, (int) a[0], (int) a[1], 0));
    table.syscall(
        "__syscall_lstat64", a -> stat(AT_FDCWD, (int) a[0], (int) a[1], AT_SYMLINK_NOFOLLOW));
    table.syscall(
        "__syscall_newfstatat", a -> stat((int) a[0], (int) a[1], (int) a[2], (int) a[3]));
    table.syscall(
        "__syscall_faccessat",
        a -> {
          boolean follow = (a[3] & AT_SYMLINK_NOFOLLOW) == 0;
          files.checkAccess((int) a[0], guest.path((int) a[1]), (int) a[2], follow);
          return 0;
        });
    table.syscall("__syscall_readlinkat", a -> readLink(a));
    table.syscall(
        "__syscall_chdir",
        a -> {
          files.changeDirectory(guest.path((int) a[0]));
          return 0;
        });
    table.syscall("__syscall_getcwd", a -> workingDirectory((int) a[0], (int) a[1]));
    table.syscall(
        "__syscall_statfs64",
        a -> {
          files.lookup(AT_FDCWD, guest.path((int) a[0]), true);
          StructWriter.statfs(memory, (int) a[2], files);
          return 0;
        });
    registerChanges(table);
    registerAttributes(table);
  }

  private void registerChanges(ImportTable table) {
    table.syscall(
        "__syscall_mkdirat",
        a -> {
          takeUmask();
          files.makeDirectory((int) a[0], guest.path((int) a[1]), (int) a[2]);
          return 0;
        });
    table.syscall(
        "__syscall_mknodat",
        a -> {
          takeUmask();
          files.makeNode((int) a[0], guest.path((int) a[1]), (int) a[2]);
          return 0;
        });
    table.syscall(
        "__syscall_symlinkat",
        a -> {
          files.makeSymbolicLink(guest.path((int) a[0]), (int) a[1], guest.path((int) a[2]));
          return 0;
        });
    table.syscall(
        "__syscall_renameat",
        a -> {
          files.rename((int) a[0], guest.path((int) a[1]), (int) a[2], guest.path((int) a[3]));
          return 0;
        });
    table.syscall(
        "__syscall_rmdir",
        a -> {
          files.removeDirectory(AT_FDCWD, guest.path((int) a[0]));
          return 0;
        });
    table.syscall(
        "__syscall_unlinkat",
        a -> {
          if ((a[2] & ~AT_REMOVEDIR) != 0) {
            throw PosixException.of(Errno.EINVAL);
          } else if (a[2] == AT_REMOVEDIR) {
            files.removeDirectory((int) a[0], guest.path((int) a[1]));
          } else {
            files.unlink((int) a[0], guest.path((int) a[1]));
          }
          return 0;
        });
    table.syscall(
        "__syscall_truncate64",
        a -> {
          files.truncate(AT_FDCWD, guest.path((int) a[0]), a[1]);
          return 0;
        });
  }

  private void registerAttributes(ImportTable table) {
    table.syscall(
        "__syscall_chmod",
        a -> {
          files.setPermissions(files.lookup(AT_FDCWD, guest.path((int) a[0]), true), (int) a[1]);
          return 0;
        });
    table.syscall(
        "__syscall_fchmodat2",
        a -> {
          files.setPermissions(find((int) a[0], (int) a[1], (int) a[3]), (int) a[2]);
          return 0;
        });
    table.syscall(
        "__syscall_fchownat",
        a -> {
          files.setOwner(find((int) a[0], (int) a[1], (int) a[4]), (int) a[2], (int) a[3]);
          return 0;
        });
    table.syscall("__syscall_utimensat", a -> setTimes(a));
  }

  /**
   * Learns the program's umask. Its C library keeps it to itself, and Emscripten's own host ignores
   * it; asking means setting it twice.
   */
  private void takeUmask() {
    int mask = (int) exports.call("umask", 0);
    exports.call("umask", mask);
    files.setUmask(mask);
  }

  private Inode find(int directory, int path, int flags) {
    String name = guest.path(path);
    if (name.isEmpty() && (flags & AT_EMPTY_PATH) != 0) {
      return files.lookupDescriptor(directory);
    }
    return files.lookup(directory, name, (flags & AT_SYMLINK_NOFOLLOW) == 0);
  }

  private long stat(int directory, int path, int buffer, int flags) {
    StructWriter.stat(memory, buffer, find(directory, path, flags));
    return 0;
  }

  private long readLink(long[] a) {
    int size = (int) a[3];
    if (size <= 0) {
      throw PosixException.of(Errno.EINVAL);
    }
    byte[] target = FileName.bytes(files.readLink((int) a[0], guest.path((int) a[1])));
    int length = Math.min(size, target.length);
    memory.write((int) a[2], target, 0, length);
    return length;
  }

  private long workingDirectory(int buffer, int size) {
    byte[] path = FileName.bytes(files.workingDirectory());
    if (size == 0) {
      throw PosixException.of(Errno.EINVAL);
    }
    if (Integer.compareUnsigned(size, path.length + 1) < 0) {
      throw PosixException.of(Errno.ERANGE);
    }
    guest.putString(buffer, path, path.length + 1);
    return path.length + 1L;
  }

  private long setTimes(long[] a) {
    int times = (int) a[2];
    // A null path is how futimens names the descriptor itself.
    int flags = (int) a[3] | ((int) a[1] == 0 ? AT_EMPTY_PATH : 0);
    Inode inode = find((int) a[0], (int) a[1], flags);
    Timestamp now = Timestamp.now();
    if (times == 0) {
      files.setTimes(inode, now, now);
    } else {
      Timestamp accessed = time(times, now);
      Timestamp modified = time(times + 16, now);
      if (accessed != null || modified != null) {
        files.setTimes(inode, accessed, modified);
      }
    }
    return 0;
  }

  private Timestamp time(int at, Timestamp now) {
    int nanos = memory.readInt(at + 8);
    return switch (nanos) {
      case UTIME_NOW -> now;
      case UTIME_OMIT -> null;
      default -> {
        if (nanos < 0 || nanos > 999_999_999) {
          throw PosixException.of(Errno.EINVAL);
        }
        yield new Timestamp(memory.readLong(at), nanos);
      }
    };
  }
}
