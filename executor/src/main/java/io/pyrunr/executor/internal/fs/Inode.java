package io.pyrunr.executor.internal.fs;

/**
 * A file of any kind: attributes, and the operations its kind supports; the others fail as POSIX
 * says. Every change goes through {@link #touch}, which is what makes {@link
 * VirtualFileSystem#restore} cheap.
 */
public abstract class Inode {
  final Volume volume;
  private final long number;
  private final boolean charged;
  private int mode;
  private int uid;
  private int gid;
  private int links;
  private Timestamp accessed;
  private Timestamp modified;
  private Timestamp changed;
  private long savedIn;
  private int opened;
  private boolean freed;

  /** A new inode of the writable layer; it has no link yet. */
  Inode(Volume volume, int mode) {
    volume.quota.chargeInode();
    this.volume = volume;
    this.number = volume.newInodeNumber();
    this.charged = true;
    this.mode = mode;
    Timestamp now = Timestamp.now();
    this.accessed = now;
    this.modified = now;
    this.changed = now;
    this.savedIn = volume.epoch();
  }

  /** An inode that stands for one of the shared base layer. */
  Inode(Volume volume, int mode, BaseLayer.Node origin, int links) {
    this.volume = volume;
    this.number = origin.number();
    this.charged = false;
    this.mode = mode;
    this.links = links;
    this.accessed = origin.time();
    this.modified = origin.time();
    this.changed = origin.time();
    this.savedIn = -1;
  }

  public final long number() {
    return number;
  }

  /** Type and permission bits. */
  public final int mode() {
    return mode;
  }

  public final int type() {
    return mode & FileMode.S_IFMT;
  }

  public final int uid() {
    return uid;
  }

  public final int gid() {
    return gid;
  }

  public int links() {
    return links;
  }

  /** Size in bytes as {@code stat} shows it. */
  public long size() {
    return 0;
  }

  /** Device number of a device file, otherwise 0. */
  public int deviceNumber() {
    return 0;
  }

  public final Timestamp accessed() {
    return accessed;
  }

  public final Timestamp modified() {
    return modified;
  }

  public final Timestamp changed() {
    return changed;
  }

  /** True if one of the wanted permissions is given to nobody; see {@link FileMode#R_OK}. */
  final boolean denies(int wanted) {
    // Emscripten's rule: there is one user, and a permission counts whoever it is given to.
    int given = (mode | mode >>> 3 | mode >>> 6) & 7;
    return (wanted & ~given) != 0;
  }

  final void require(int wanted) {
    if (denies(wanted)) {
      throw PosixException.of(Errno.EACCES);
    }
  }

  // ---------------------------------------------------------------- changes

  /** To be called before any change: keeps the state for a restore. */
  final void touch() {
    if (volume.recording() && savedIn != volume.epoch()) {
      savedIn = volume.epoch();
      int oldMode = mode;
      int oldUid = uid;
      int oldGid = gid;
      int oldLinks = links;
      Timestamp oldAccessed = accessed;
      Timestamp oldModified = modified;
      Timestamp oldChanged = changed;
      Runnable undoContent = saveContent();
      volume.record(
          () -> {
            mode = oldMode;
            uid = oldUid;
            gid = oldGid;
            links = oldLinks;
            accessed = oldAccessed;
            modified = oldModified;
            changed = oldChanged;
            freed = false;
            undoContent.run();
          });
    }
  }

  /** Keeps the state a kind has besides the attributes; returns what brings it back. */
  abstract Runnable saveContent();

  final void setPermissions(int permissions) {
    touch();
    mode = type() | (permissions & 07777);
    changed = Timestamp.now();
  }

  /** Sets owner and group; -1 leaves one as it is. */
  final void setOwner(int newUid, int newGid) {
    touch();
    uid = newUid == -1 ? uid : newUid;
    gid = newGid == -1 ? gid : newGid;
    changed = Timestamp.now();
  }

  /** Sets the times; null leaves one as it is. */
  final void setTimes(Timestamp newAccessed, Timestamp newModified) {
    touch();
    accessed = newAccessed == null ? accessed : newAccessed;
    modified = newModified == null ? modified : newModified;
    changed = Timestamp.now();
  }

  /** Notes that the contents change now. */
  final void markModified() {
    touch();
    modified = Timestamp.now();
    changed = modified;
  }

  final void addLinks(int delta) {
    touch();
    links += delta;
    changed = Timestamp.now();
    freeIfUnused();
  }

  // Open counts are balanced by restore, which closes what the job opened, so they need no undo.

  /**
   * Takes the inode into use. One that nothing used any more counts again: a removed directory is
   * still the parent of an open one.
   *
   * @throws PosixException {@code ENOSPC} if it was free and there is no room for it
   */
  final void retain() {
    if (freed) {
      volume.quota.charge(storedBytes());
      if (charged) {
        chargeAgain();
      }
    }
    retainRestored();
  }

  private void chargeAgain() {
    try {
      volume.quota.chargeInode();
    } catch (PosixException e) {
      volume.quota.release(storedBytes());
      throw e;
    }
  }

  /** As {@link #retain}, in a restore, which sets the quota itself. */
  final void retainRestored() {
    opened++;
    freed = false;
  }

  final void release() {
    opened--;
    freeIfUnused();
  }

  private void freeIfUnused() {
    if (links <= 0 && opened == 0 && !freed) {
      freed = true;
      if (charged) {
        volume.quota.releaseInode();
      }
      volume.quota.release(storedBytes());
    }
  }

  /** Bytes charged to the quota. */
  long storedBytes() {
    return 0;
  }

  // ---------------------------------------------------------------- operations of open files

  /** False for what is read in the order it was written: pipes, sockets, streams. */
  boolean seekable() {
    return false;
  }

  int read(ByteSpace space, int address, int length, long position) {
    throw PosixException.of(Errno.EINVAL);
  }

  int write(ByteSpace space, int address, int length, long position) {
    throw PosixException.of(Errno.EINVAL);
  }

  void truncate(long size) {
    throw PosixException.of(Errno.EINVAL);
  }

  void opened(int flags) {}

  void closed(int flags) {}

  /** {@code POLLIN} and friends that hold now. */
  int poll(int flags) {
    return OpenFile.POLLIN | OpenFile.POLLOUT;
  }
}
