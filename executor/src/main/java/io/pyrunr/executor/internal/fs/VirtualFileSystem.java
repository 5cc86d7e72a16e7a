package io.pyrunr.executor.internal.fs;

import static io.pyrunr.executor.internal.fs.FileMode.O_ACCMODE;
import static io.pyrunr.executor.internal.fs.FileMode.O_APPEND;
import static io.pyrunr.executor.internal.fs.FileMode.O_CLOEXEC;
import static io.pyrunr.executor.internal.fs.FileMode.O_CREAT;
import static io.pyrunr.executor.internal.fs.FileMode.O_DIRECTORY;
import static io.pyrunr.executor.internal.fs.FileMode.O_EXCL;
import static io.pyrunr.executor.internal.fs.FileMode.O_NOFOLLOW;
import static io.pyrunr.executor.internal.fs.FileMode.O_NONBLOCK;
import static io.pyrunr.executor.internal.fs.FileMode.O_PATH;
import static io.pyrunr.executor.internal.fs.FileMode.O_RDONLY;
import static io.pyrunr.executor.internal.fs.FileMode.O_RDWR;
import static io.pyrunr.executor.internal.fs.FileMode.O_WRONLY;
import static io.pyrunr.executor.internal.fs.FileMode.R_OK;
import static io.pyrunr.executor.internal.fs.FileMode.W_OK;
import static io.pyrunr.executor.internal.fs.FileMode.X_OK;

/**
 * An interpreter's file system, in memory: a shared read-only {@link BaseLayer} and a writable
 * layer of its own above. Behaves as POSIX says where Emscripten's MEMFS falls short of it, and as
 * MEMFS in what POSIX leaves open: one user who owns everything, permissions that bind him all the
 * same. Reading does not change access times.
 *
 * <p>{@link #snapshot} and {@link #restore} bracket a job: a restore costs what the job changed and
 * opened, nothing more.
 *
 * <p>Paths are in wire form ({@link FileName}). Failures are {@link PosixException}s. Not
 * thread-safe: it belongs to its interpreter's thread.
 */
public final class VirtualFileSystem {
  /** {@code AT_FDCWD}: relative to the working directory. */
  public static final int AT_FDCWD = -100;

  /** Inodes the writable layer may hold unless told otherwise. */
  public static final int DEFAULT_INODES = 1 << 16;

  private final BaseLayer base;
  private final Volume volume;
  private final Directory root;
  private final PathResolver resolver;
  private final Opener opener;
  private final HostFiles host;
  private final DescriptorTable descriptors = new DescriptorTable();
  private final MappedFiles mapped = new MappedFiles();
  private Directory workingDirectory;
  private int umask = 022;

  public VirtualFileSystem(BaseLayer base) {
    this.base = base;
    volume = new Volume(base.nodes() + 1);
    volume.quota.limitInodes(DEFAULT_INODES);
    root = new Directory(volume, base.root());
    root.becomeRoot();
    resolver = new PathResolver(root);
    opener = new Opener(volume);
    host = new HostFiles(this, volume, root);
    workingDirectory = root;
    root.retain();
  }

  // ---------------------------------------------------------------- limits, snapshots

  /** Lets the writable layer hold {@code bytes} more than it holds now. */
  public void allowBytes(long bytes) {
    long now = volume.quota.bytes();
    volume.quota.limitBytes(bytes > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + bytes);
  }

  /** Whether something did not fit since {@link #allowBytes}. */
  public boolean refused() {
    return volume.quota.refused();
  }

  /** Lets the writable layer hold {@code count} inodes more than it holds now. */
  public void allowInodes(int count) {
    int now = volume.quota.inodes();
    volume.quota.limitInodes(count > Integer.MAX_VALUE - now ? Integer.MAX_VALUE : now + count);
  }

  /** Bytes the writable layer holds. */
  public long usedBytes() {
    return volume.quota.bytes();
  }

  /** Inodes the writable layer holds. */
  public int usedInodes() {
    return volume.quota.inodes();
  }

  /** Keeps the present state. Later snapshots do not invalidate it. */
  public FileSystemSnapshot snapshot() {
    return new FileSystemSnapshot(
        this,
        volume.mark(),
        volume.nextInode(),
        volume.quota.bytes(),
        volume.quota.inodes(),
        descriptors.save(),
        mapped.save(),
        workingDirectory,
        umask);
  }

  /**
   * Returns to a snapshot of this file system: contents, attributes, open descriptors with their
   * positions, mapped files, working directory and umask. May be repeated; snapshots taken after
   * {@code snapshot} become invalid.
   */
  public void restore(FileSystemSnapshot snapshot) {
    if (snapshot.owner != this || snapshot.mark > volume.recorded()) {
      throw new IllegalArgumentException("not a valid snapshot of this file system");
    }
    descriptors.closeAll();
    mapped.removeAll();
    workingDirectory.release();
    volume.rewind(snapshot.mark, snapshot.nextInode);
    descriptors.load(snapshot.descriptors);
    mapped.load(snapshot.mapped);
    workingDirectory = snapshot.workingDirectory;
    workingDirectory.retainRestored();
    umask = snapshot.umask;
    volume.quota.reset(snapshot.bytes, snapshot.inodes);
  }

  // ---------------------------------------------------------------- descriptors

  /** The open file behind a descriptor, or {@code EBADF}. */
  public OpenFile file(int descriptor) {
    return descriptors.get(descriptor);
  }

  /** The open file behind a descriptor, or null. */
  public OpenFile findFile(int descriptor) {
    return descriptors.find(descriptor);
  }

  public void close(int descriptor) {
    descriptors.close(descriptor);
  }

  /** Duplicates a descriptor to the lowest free one that is not below {@code from}. */
  public int duplicate(int descriptor, int from, boolean closeOnExec) {
    return descriptors.duplicate(descriptor, from, closeOnExec);
  }

  /** {@code dup3}: makes {@code target} stand for the same open file, closing what it was. */
  public int duplicateTo(int descriptor, int target, boolean closeOnExec) {
    return descriptors.duplicateTo(descriptor, target, closeOnExec);
  }

  public boolean closeOnExec(int descriptor) {
    return descriptors.closeOnExec(descriptor);
  }

  public void setCloseOnExec(int descriptor, boolean value) {
    descriptors.setCloseOnExec(descriptor, value);
  }

  /** Keeps a file open that is mapped to an address, until it is {@linkplain #unmap unmapped}. */
  public void map(int address, OpenFile file) {
    mapped.put(address, file);
  }

  /** The file that was mapped to an address, or null. */
  public OpenFile findMapped(int address) {
    return mapped.find(address);
  }

  public void unmap(int address) {
    mapped.remove(address);
  }

  private int install(Inode inode, int flags) {
    int descriptor = descriptors.free(0);
    int access = (flags & O_PATH) == 0 ? O_ACCMODE : 0;
    int kept = flags & (access | O_APPEND | O_NONBLOCK | O_DIRECTORY | O_PATH);
    descriptors.put(descriptor, new OpenFile(inode, kept), (flags & O_CLOEXEC) != 0);
    return descriptor;
  }

  /** Makes a pipe; returns the reading and the writing descriptor. */
  public int[] pipe(int flags) {
    descriptors.free(0);
    Pipe pipe = new Pipe(volume, 0600);
    int kept = flags & (O_NONBLOCK | O_CLOEXEC);
    int reader = install(pipe, O_RDONLY | kept);
    try {
      return new int[] {reader, install(pipe, O_WRONLY | kept)};
    } catch (PosixException e) {
      close(reader);
      throw e;
    }
  }

  /** Makes a socket that is connected to nothing. */
  public int socket(int flags) {
    descriptors.free(0);
    return install(new Socket(volume), O_RDWR | (flags & (O_NONBLOCK | O_CLOEXEC)));
  }

  // ---------------------------------------------------------------- looking things up

  /** Where a relative path of an {@code *at} call starts. */
  private Directory start(int directory, String path) {
    if (directory == AT_FDCWD || (!path.isEmpty() && path.charAt(0) == '/')) {
      return workingDirectory;
    }
    if (descriptors.get(directory).inode() instanceof Directory found) {
      return found;
    }
    throw PosixException.of(Errno.ENOTDIR);
  }

  /**
   * Finds what a path stands for.
   *
   * @param directory descriptor a relative path starts from, or {@link #AT_FDCWD}
   * @param follow whether a symbolic link in last place is followed
   */
  public Inode lookup(int directory, String path, boolean follow) {
    return resolver.walk(start(directory, path), path, follow).existing();
  }

  /** What {@code AT_EMPTY_PATH} means: the descriptor itself. */
  public Inode lookupDescriptor(int descriptor) {
    return descriptor == AT_FDCWD ? workingDirectory : descriptors.get(descriptor).inode();
  }

  /** {@code faccessat}. */
  public void checkAccess(int directory, String path, int wanted, boolean follow) {
    if ((wanted & ~(R_OK | W_OK | X_OK)) != 0) {
      throw PosixException.of(Errno.EINVAL);
    }
    lookup(directory, path, follow).require(wanted);
  }

  public String readLink(int directory, String path) {
    if (lookup(directory, path, false) instanceof SymbolicLink link) {
      return link.target();
    }
    throw PosixException.of(Errno.EINVAL);
  }

  /** Absolute path of the working directory; {@code ENOENT} if it was removed. */
  public String workingDirectory() {
    StringBuilder path = new StringBuilder();
    Directory at = workingDirectory;
    while (at != root) {
      if (at.removed()) {
        throw PosixException.of(Errno.ENOENT);
      }
      path.insert(0, at.name()).insert(0, '/');
      if (path.length() >= FileName.PATH_MAX) {
        throw PosixException.of(Errno.ENAMETOOLONG);
      }
      at = at.parent();
    }
    return path.length() == 0 ? "/" : path.toString();
  }

  public void changeDirectory(String path) {
    enter(lookup(AT_FDCWD, path, true));
  }

  public void changeDirectory(int descriptor) {
    enter(descriptors.get(descriptor).inode());
  }

  private void enter(Inode inode) {
    if (!(inode instanceof Directory directory)) {
      throw PosixException.of(Errno.ENOTDIR);
    }
    directory.require(X_OK);
    directory.retain();
    workingDirectory.release();
    workingDirectory = directory;
  }

  /** Sets the file mode creation mask; returns the old one. */
  public int setUmask(int mask) {
    int old = umask;
    umask = mask & 0777;
    return old;
  }

  // ---------------------------------------------------------------- opening

  /** {@code openat}: opens, perhaps creates or truncates, a file; returns its descriptor. */
  public int open(int directory, String path, int flags, int permissions) {
    descriptors.free(0);
    boolean follow =
        (flags & O_NOFOLLOW) == 0 && (flags & (O_CREAT | O_EXCL)) != (O_CREAT | O_EXCL);
    PathResolver found = resolver.walk(start(directory, path), path, follow);
    return install(opener.open(found, flags, permissions & ~umask & 07777), flags);
  }

  // ---------------------------------------------------------------- making, moving, removing

  public void makeDirectory(int directory, String path, int permissions) {
    PathResolver found = resolver.walk(start(directory, path), path, false);
    found.requireCreatable();
    found.parent.put(found.name, new Directory(volume, permissions & ~umask & 01777));
  }

  public void makeSymbolicLink(String target, int directory, String path) {
    if (target.isEmpty()) {
      throw PosixException.of(Errno.ENOENT);
    }
    if (target.length() >= FileName.PATH_MAX) {
      throw PosixException.of(Errno.ENAMETOOLONG);
    }
    PathResolver found = resolver.walk(start(directory, path), path, false);
    if (found.inode == null && found.trailingSlash) {
      throw PosixException.of(Errno.ENOENT);
    }
    found.requireCreatable();
    found.parent.put(found.name, new SymbolicLink(volume, target));
  }

  /** {@code mknodat}, for regular files and named pipes; others need privileges nobody has. */
  public void makeNode(int directory, String path, int mode) {
    PathResolver found = resolver.walk(start(directory, path), path, false);
    found.requireCreatable();
    if (found.trailingSlash) {
      throw PosixException.of(Errno.ENOENT);
    }
    int permissions = mode & ~umask & 07777;
    found.parent.put(
        found.name,
        switch (mode & FileMode.S_IFMT) {
          case 0, FileMode.S_IFREG -> new RegularFile(volume, permissions);
          case FileMode.S_IFIFO -> new Pipe(volume, permissions);
          case FileMode.S_IFSOCK -> throw PosixException.of(Errno.EOPNOTSUPP);
          case FileMode.S_IFCHR, FileMode.S_IFBLK -> throw PosixException.of(Errno.EPERM);
          default -> throw PosixException.of(Errno.EINVAL);
        });
  }

  public void unlink(int directory, String path) {
    PathResolver found = resolver.walk(start(directory, path), path, false);
    if (found.existing() instanceof Directory) {
      throw PosixException.of(Errno.EISDIR);
    }
    found.requireRemovable();
    found.parent.remove(found.name);
  }

  public void removeDirectory(int directory, String path) {
    PathResolver found = resolver.walk(start(directory, path), path, false);
    if (!(found.existing() instanceof Directory folder)) {
      throw PosixException.of(Errno.ENOTDIR);
    }
    found.requireRemovable();
    if (!folder.isEmpty()) {
      throw PosixException.of(Errno.ENOTEMPTY);
    }
    found.parent.remove(found.name);
  }

  /**
   * {@code renameat}: moves an entry, replacing a file or an empty directory that is in the way.
   */
  public void rename(int fromDirectory, String from, int toDirectory, String to) {
    Directory toStart = start(toDirectory, to);
    PathResolver found = resolver.walk(start(fromDirectory, from), from, false);
    requireMovable(found);
    found.existing();
    Directory oldParent = found.parent;
    String oldName = found.name;
    Inode moved = found.inode;

    found = resolver.walk(toStart, to, false);
    requireMovable(found);
    new Move(oldParent, oldName, moved).to(found);
  }

  private static void requireMovable(PathResolver found) {
    if (found.name == null) {
      throw PosixException.of(Errno.EBUSY);
    }
  }

  // ---------------------------------------------------------------- attributes

  public void setPermissions(Inode inode, int permissions) {
    if (inode instanceof SymbolicLink) {
      throw PosixException.of(Errno.EOPNOTSUPP);
    }
    inode.setPermissions(permissions);
  }

  public void setOwner(Inode inode, int uid, int gid) {
    inode.setOwner(uid, gid);
  }

  /** Sets the times; null leaves one as it is. */
  public void setTimes(Inode inode, Timestamp accessed, Timestamp modified) {
    inode.setTimes(accessed, modified);
  }

  public void truncate(int directory, String path, long size) {
    if (size < 0) {
      throw PosixException.of(Errno.EINVAL);
    }
    Inode inode = lookup(directory, path, true);
    inode.require(W_OK);
    inode.truncate(size);
  }

  // ---------------------------------------------------------------- statistics of the volume

  /**
   * Blocks of 4 KiB in all, the read-only layer's included, as {@code statvfs} shows them: what is
   * not free is used, and a volume with files on it is never unused.
   */
  public long totalBlocks() {
    return base.blocks() + (Math.min(volume.quota.byteLimit(), 1L << 40) >>> 12);
  }

  public long freeBlocks() {
    return Math.max(0, totalBlocks() - base.blocks() - ((volume.quota.bytes() + 4095) >>> 12));
  }

  public long totalInodes() {
    return base.nodes() + volume.quota.inodeLimit();
  }

  public long freeInodes() {
    return Math.max(0, (long) volume.quota.inodeLimit() - volume.quota.inodes());
  }

  // ---------------------------------------------------------------- the host's own access

  /** What the host itself puts here and reads here; permissions and umask do not bind it. */
  public HostFiles host() {
    return host;
  }
}
