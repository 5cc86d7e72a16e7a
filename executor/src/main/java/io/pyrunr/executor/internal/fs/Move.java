package io.pyrunr.executor.internal.fs;

import static io.pyrunr.executor.internal.fs.FileMode.W_OK;
import static io.pyrunr.executor.internal.fs.FileMode.X_OK;

/**
 * Moves an entry to another name, in the way of which may be a file or an empty directory.
 *
 * @param parent directory it is in
 * @param name its name there
 * @param moved the inode
 */
record Move(Directory parent, String name, Inode moved) {

  void to(PathResolver target) {
    if (moved == target.inode) {
      return;
    }
    parent.require(W_OK | X_OK);
    target.parent.require(W_OK | X_OK);
    if (target.parent.removed()) {
      throw PosixException.of(Errno.ENOENT);
    }
    if (moved instanceof Directory folder) {
      requireRoomForDirectory(target, folder);
    } else if (target.inode instanceof Directory) {
      throw PosixException.of(Errno.EISDIR);
    } else if (target.trailingSlash) {
      throw PosixException.of(Errno.ENOTDIR);
    }
    if (target.inode != null) {
      target.parent.remove(target.name);
    }
    moved.retain(); // so that the moment without a link does not free it
    parent.remove(name);
    target.parent.put(target.name, moved);
    moved.release();
  }

  private static void requireRoomForDirectory(PathResolver target, Directory folder) {
    if (target.parent.isWithin(folder)) {
      throw PosixException.of(Errno.EINVAL);
    }
    if (target.inode instanceof Directory replaced) {
      if (!replaced.isEmpty()) {
        throw PosixException.of(Errno.ENOTEMPTY);
      }
    } else if (target.inode != null) {
      throw PosixException.of(Errno.ENOTDIR);
    }
  }
}
