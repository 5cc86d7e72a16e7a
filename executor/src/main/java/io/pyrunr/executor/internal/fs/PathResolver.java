package io.pyrunr.executor.internal.fs;

/**
 * Walks a path. The outcome is left in fields, because it happens for each {@code stat} of an
 * import: the directory that holds the last name, that name, and the inode it stands for, if any.
 *
 * <p>Works in a loop with a bound on symbolic links, so that no path exhausts the Java stack.
 */
final class PathResolver {
  /** As Linux and Emscripten: more links than this are taken for a cycle. */
  private static final int MAXIMUM_LINKS = 40;

  private final Directory root;

  /** Directory that holds the last name. */
  Directory parent;

  /** The last name; null if the path ends in {@code /}, {@code .} or {@code ..} alone. */
  String name;

  /** What the path stands for, or null if nothing has that last name. */
  Inode inode;

  /** The path ends in a slash, which only a directory satisfies. */
  boolean trailingSlash;

  /** The path's last component as it was written is {@code .} or {@code ..}. */
  boolean dots;

  PathResolver(Directory root) {
    this.root = root;
  }

  /**
   * Resolves {@code path}.
   *
   * @param start where a relative path begins
   * @param followLast whether a symbolic link in last place is followed
   */
  PathResolver walk(Directory start, String path, boolean followLast) {
    if (path.isEmpty()) {
      throw PosixException.of(Errno.ENOENT);
    }
    if (path.length() >= FileName.PATH_MAX) {
      throw PosixException.of(Errno.ENAMETOOLONG);
    }
    String rest = path;
    Directory at = rest.charAt(0) == '/' ? root : start;
    int links = 0;
    int position = 0;
    dots = false;
    while (true) {
      int begin = skipSlashes(rest, position);
      if (begin == rest.length()) {
        return found(at, null, at, true);
      }
      int end = rest.indexOf('/', begin);
      if (end < 0) {
        end = rest.length();
      }
      int following = skipSlashes(rest, end);
      boolean last = following == rest.length();
      boolean slash = end < rest.length();
      String component = rest.substring(begin, end);
      if (component.length() > FileName.NAME_MAX) {
        throw PosixException.of(Errno.ENAMETOOLONG);
      }
      at.require(FileMode.X_OK);
      if (component.equals(".") || component.equals("..")) {
        at = component.length() == 2 ? at.parent() : at;
        if (last) {
          dots = true;
          return found(at, null, at, slash);
        }
        position = following;
        continue;
      }
      Inode child = at.lookup(component);
      if (child instanceof SymbolicLink link && (!last || followLast || slash)) {
        if (++links > MAXIMUM_LINKS) {
          throw PosixException.of(Errno.ELOOP);
        }
        rest = link.target() + (slash ? "/" : "") + rest.substring(following);
        if (rest.length() >= FileName.PATH_MAX) {
          throw PosixException.of(Errno.ENAMETOOLONG);
        }
        if (rest.charAt(0) == '/') {
          at = root;
        }
        position = 0;
      } else if (last) {
        if (slash && child != null && !(child instanceof Directory)) {
          throw PosixException.of(Errno.ENOTDIR);
        }
        return found(at, component, child, slash);
      } else {
        if (child == null) {
          throw PosixException.of(Errno.ENOENT);
        }
        if (!(child instanceof Directory directory)) {
          throw PosixException.of(Errno.ENOTDIR);
        }
        at = directory;
        position = following;
      }
    }
  }

  private static int skipSlashes(String path, int from) {
    int i = from;
    while (i < path.length() && path.charAt(i) == '/') {
      i++;
    }
    return i;
  }

  private PathResolver found(Directory at, String last, Inode what, boolean slash) {
    parent = at;
    name = last;
    inode = what;
    trailingSlash = slash;
    return this;
  }

  /** The inode, or {@code ENOENT}. */
  Inode existing() {
    if (inode == null) {
      throw PosixException.of(Errno.ENOENT);
    }
    return inode;
  }

  /** Checks that a new entry may be made where the walk ended. */
  void requireCreatable() {
    if (inode != null) {
      throw PosixException.of(Errno.EEXIST);
    }
    if (parent.removed()) {
      throw PosixException.of(Errno.ENOENT);
    }
    parent.require(FileMode.W_OK | FileMode.X_OK);
  }

  /** Checks that the entry found may be removed. */
  void requireRemovable() {
    existing();
    if (name == null) {
      throw PosixException.of(dots ? Errno.EINVAL : Errno.EBUSY);
    }
    parent.require(FileMode.W_OK | FileMode.X_OK);
  }
}
