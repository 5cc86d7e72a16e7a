package io.pyrunr.executor.internal.emscripten;

import io.pyrunr.executor.internal.fs.Errno;
import io.pyrunr.executor.internal.fs.FileMode;
import io.pyrunr.executor.internal.fs.OpenFile;
import io.pyrunr.executor.internal.fs.PosixException;
import io.pyrunr.executor.internal.fs.VirtualFileSystem;
import io.pyrunr.wasm.runtime.LinearMemory;

/**
 * Mapped files, the way Emscripten does them: the contents are copied into fresh memory, and copied
 * back by {@code msync} and {@code munmap} if the mapping is shared and writable. Unlike there, to
 * the file that was mapped: the descriptor the C library remembers may be another file's by then.
 */
final class MappingCalls {
  private static final int PROT_WRITE = 2;
  private static final int MAP_SHARED = 1;
  private static final int MAP_PRIVATE = 2;
  private static final int PAGE = 65536;

  private final LinearMemory memory;
  private final GuestMemory guest;
  private final VirtualFileSystem files;
  private final GuestExports exports;

  MappingCalls(
      LinearMemory memory, GuestMemory guest, VirtualFileSystem files, GuestExports exports) {
    this.memory = memory;
    this.guest = guest;
    this.files = files;
    this.exports = exports;
  }

  void register(ImportTable table) {
    // (length, protection, flags, descriptor, offset, *allocated, *address)
    table.syscall(
        "_mmap_js",
        a -> {
          int address = map((int) a[0], (int) a[1], (int) a[2], files.file((int) a[3]), a[4]);
          memory.writeI32((int) a[5], 1);
          memory.writeI32((int) a[6], address);
          return 0;
        });
    // (address, length, protection, flags, descriptor, offset)
    table.syscall("_msync_js", a -> writeBack(a));
    table.syscall("_munmap_js", a -> (a[2] & PROT_WRITE) != 0 ? unmap(a) : 0);
  }

  private int map(int length, int protection, int flags, OpenFile file, long offset) {
    int access = file.flags() & FileMode.O_ACCMODE;
    boolean writesThrough = (protection & PROT_WRITE) != 0 && (flags & MAP_PRIVATE) == 0;
    if (access == FileMode.O_WRONLY || (writesThrough && access != FileMode.O_RDWR)) {
      throw PosixException.of(Errno.EACCES);
    }
    requireRegular(file);
    if (length <= 0 || offset < 0) {
      throw PosixException.of(length < 0 ? Errno.ENOMEM : Errno.EINVAL);
    }
    int rounded = (length + PAGE - 1) & -PAGE;
    int address =
        rounded < 0 ? 0 : (int) exports.call("emscripten_builtin_memalign", PAGE, rounded);
    if (address == 0) {
      throw PosixException.of(Errno.ENOMEM);
    }
    guest.zero(address, rounded);
    file.readAt(guest, address, length, offset);
    if (writesThrough) {
      files.map(address, file);
    }
    return address;
  }

  private long unmap(long[] a) {
    try {
      return writeBack(a);
    } finally {
      files.unmap((int) a[0]);
    }
  }

  private long writeBack(long[] a) {
    OpenFile mapped = files.findMapped((int) a[0]);
    // A boot image from disk knows no mappings, only descriptors.
    OpenFile file = mapped != null ? mapped : files.file((int) a[4]);
    requireRegular(file);
    if ((a[3] & MAP_SHARED) != 0 && (a[3] & MAP_PRIVATE) == 0) {
      long offset = a[5];
      // A mapping never makes its file longer.
      long length = Math.min(Integer.toUnsignedLong((int) a[1]), file.inode().size() - offset);
      if (length > 0) {
        int written = file.writeAt(guest, (int) a[0], (int) length, offset);
        if (written < length) {
          throw PosixException.of(Errno.ENOSPC);
        }
      }
    }
    return 0;
  }

  private static void requireRegular(OpenFile file) {
    if (file.inode().type() != FileMode.S_IFREG) {
      throw PosixException.of(Errno.ENODEV);
    }
  }
}
