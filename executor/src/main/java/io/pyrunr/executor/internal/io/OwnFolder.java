package io.pyrunr.executor.internal.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/**
 * Folders that nobody else can put anything into. The rules are those of OpenSSH for {@code ~/.ssh}
 * ({@code safe_path} in its {@code misc.c}): the folder and those above it belong to this user or
 * to root, and nobody else can write to them. A folder above may be open to all if only owners can
 * rename what is in it, as in {@code /tmp}, and to a group that is its owner's alone, as many
 * systems give each user one.
 *
 * <p>Where a file system knows no such rights, on Windows for one, nothing is checked.
 */
final class OwnFolder {
  private static final int ROOT = 0;
  private static final int GROUP_WRITES = 0020;
  private static final int OTHERS_WRITE = 0002;
  private static final int STICKY = 01000;

  private OwnFolder() {}

  /**
   * Makes the folder, for this user alone, unless it is there.
   *
   * @return its real path
   * @throws IllegalArgumentException if others can put something into it; the message says how
   * @throws IOException if it can be neither made nor examined
   */
  static Path open(Path folder) throws IOException {
    boolean unix = folder.getFileSystem().supportedFileAttributeViews().contains("unix");
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder, unix ? ownersOnly() : new FileAttribute<?>[0]);
    }
    Path real = folder.toRealPath();
    if (unix) {
      check(real);
    }
    return real;
  }

  private static FileAttribute<?>[] ownersOnly() {
    return new FileAttribute<?>[] {
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
    };
  }

  private static void check(Path folder) throws IOException {
    int user = user(folder);
    Rights own = Rights.of(folder);
    if (!own.ownedBy(user)) {
      throw refused("the cache " + folder + " belongs to the user " + own.owner);
    }
    if (own.allow(GROUP_WRITES | OTHERS_WRITE)) {
      throw refused("others can write to the cache " + folder);
    }
    // Whoever owns the file system's root needs no way around its rights.
    for (Path above = folder.getParent();
        above != null && above.getParent() != null;
        above = above.getParent()) {
      Rights rights = Rights.of(above);
      if (!rights.ownedBy(user)) {
        throw refused(
            above + ", above the cache " + folder + ", belongs to the user " + rights.owner);
      }
      boolean groupWrites = rights.allow(GROUP_WRITES) && !rights.group.equals(rights.owner);
      if ((groupWrites || rights.allow(OTHERS_WRITE)) && !rights.allow(STICKY)) {
        throw refused("others can write to " + above + ", above the cache " + folder);
      }
    }
  }

  private static IllegalArgumentException refused(String why) {
    return new IllegalArgumentException(
        why
            + ", and what is in a cache runs as code; change that, or name another folder with"
            + " --cache or PYRUNR_CACHE");
  }

  /** The number of this process's user, which Java does not tell: that of a file it makes. */
  private static int user(Path folder) throws IOException {
    IOException failure = null;
    for (Path place : List.of(folder, Path.of(System.getProperty("java.io.tmpdir")))) {
      try {
        Path probe = WholeFile.draft(place);
        try {
          return Rights.of(probe).user;
        } finally {
          Files.deleteIfExists(probe);
        }
      } catch (IOException e) {
        failure = failure == null ? e : failure; // a cache may be read-only
      }
    }
    throw failure;
  }

  private record Rights(int user, String owner, String group, int mode) {
    static Rights of(Path path) throws IOException {
      Map<String, Object> found = Files.readAttributes(path, "unix:uid,owner,group,mode");
      return new Rights(
          (Integer) found.get("uid"),
          found.get("owner").toString(),
          found.get("group").toString(),
          (Integer) found.get("mode"));
    }

    boolean ownedBy(int someone) {
      return user == someone || user == ROOT;
    }

    boolean allow(int bits) {
      return (mode & bits) != 0;
    }
  }
}
