package io.pyrunr.executor.internal.fs;

/** Places what the host itself puts into a file system; permissions do not bind it. */
final class TreeBuilder {
  private final Volume volume;
  private final Directory root;

  TreeBuilder(Volume volume, Directory root) {
    this.volume = volume;
    this.root = root;
  }

  /** Gives an inode a name, in the place of what has that name. */
  void place(String path, Inode inode) {
    Directory folder = parent(path);
    String name = lastName(path);
    if (folder.lookup(name) != null) {
      folder.remove(name);
    }
    folder.put(name, inode);
  }

  /** Makes a directory unless something has that name. */
  void directory(String path, int permissions) {
    Directory folder = parent(path);
    String name = lastName(path);
    if (folder.lookup(name) == null) {
      folder.put(name, new Directory(volume, permissions));
    }
  }

  private static String lastName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** The directory a path's last name is in, made if need be. */
  Directory parent(String path) {
    Directory at = root;
    String[] parts = path.split("/", -1);
    for (int i = 0; i < parts.length - 1; i++) {
      if (parts[i].isEmpty()) {
        continue;
      }
      Inode child = at.lookup(parts[i]);
      if (child == null) {
        child = new Directory(volume, 0755);
        at.put(parts[i], child);
      }
      if (!(child instanceof Directory directory)) {
        throw PosixException.of(Errno.ENOTDIR);
      }
      at = directory;
    }
    return at;
  }
}
