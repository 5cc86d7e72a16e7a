package io.pyrunr.executor.internal.fs;

import static io.pyrunr.executor.internal.fs.FileMode.O_ACCMODE;
import static io.pyrunr.executor.internal.fs.FileMode.O_CREAT;
import static io.pyrunr.executor.internal.fs.FileMode.O_DIRECTORY;
import static io.pyrunr.executor.internal.fs.FileMode.O_EXCL;
import static io.pyrunr.executor.internal.fs.FileMode.O_PATH;
import static io.pyrunr.executor.internal.fs.FileMode.O_RDONLY;
import static io.pyrunr.executor.internal.fs.FileMode.O_TMPFILE;
import static io.pyrunr.executor.internal.fs.FileMode.O_TRUNC;
import static io.pyrunr.executor.internal.fs.FileMode.O_WRONLY;
import static io.pyrunr.executor.internal.fs.FileMode.R_OK;
import static io.pyrunr.executor.internal.fs.FileMode.W_OK;
import static io.pyrunr.executor.internal.fs.FileMode.X_OK;

/** What the flags of {@code open} mean for the inode that is found, or made. */
final class Opener {
  private final Volume volume;

  Opener(Volume volume) {
    this.volume = volume;
  }

  /**
   * Checks, truncates or creates.
   *
   * @param permissions of a new file, the umask already taken off
   * @return the inode to be opened
   */
  Inode open(PathResolver found, int flags, int permissions) {
    if ((flags & O_ACCMODE) == O_ACCMODE) {
      throw PosixException.of(Errno.EINVAL);
    }
    if ((flags & O_TMPFILE) != 0) {
      return unnamed(found.existing(), flags, permissions);
    }
    if (found.inode == null) {
      return created(found, flags, permissions);
    }
    if ((flags & O_CREAT) != 0 && (flags & O_EXCL) != 0) {
      throw PosixException.of(Errno.EEXIST);
    }
    return existing(found.inode, flags);
  }

  private Inode created(PathResolver found, int flags, int permissions) {
    if ((flags & O_CREAT) == 0) {
      throw PosixException.of(Errno.ENOENT);
    }
    if (found.trailingSlash) {
      throw PosixException.of(Errno.EISDIR);
    }
    found.requireCreatable();
    RegularFile file = new RegularFile(volume, permissions);
    found.parent.put(found.name, file);
    return file;
  }

  private static Inode existing(Inode inode, int flags) {
    if (inode instanceof SymbolicLink && (flags & O_PATH) == 0) {
      throw PosixException.of(Errno.ELOOP);
    }
    if ((flags & O_DIRECTORY) != 0 && !(inode instanceof Directory)) {
      throw PosixException.of(Errno.ENOTDIR);
    }
    if ((flags & O_PATH) != 0) {
      return inode;
    }
    boolean writes = (flags & O_ACCMODE) != O_RDONLY;
    boolean truncates = (flags & O_TRUNC) != 0;
    if (inode instanceof Directory && (writes || truncates || (flags & O_CREAT) != 0)) {
      throw PosixException.of(Errno.EISDIR);
    }
    boolean reads = (flags & O_ACCMODE) != O_WRONLY;
    inode.require((reads ? R_OK : 0) | (writes || truncates ? W_OK : 0));
    if (inode instanceof Socket || (inode instanceof DeviceFile device && device.absent())) {
      throw PosixException.of(Errno.ENXIO);
    }
    if (truncates && inode instanceof RegularFile) {
      inode.truncate(0);
    }
    return inode;
  }

  private Inode unnamed(Inode folder, int flags, int permissions) {
    if (!(folder instanceof Directory)) {
      throw PosixException.of(Errno.ENOTDIR);
    }
    if ((flags & O_ACCMODE) == O_RDONLY) {
      throw PosixException.of(Errno.EINVAL);
    }
    folder.require(W_OK | X_OK);
    return new RegularFile(volume, permissions);
  }
}
