package io.pyrunr.executor.internal.fs;

import java.util.List;

/**
 * An open file description: what {@code dup}licated descriptors share, position and status flags
 * above all.
 */
public final class OpenFile {
  public static final int POLLIN = 1;
  public static final int POLLOUT = 4;
  public static final int POLLERR = 8;
  public static final int POLLHUP = 16;
  public static final int POLLNVAL = 32;

  /**
   * A listing that is longer counts against the quota, {@link #ENTRY_BYTES} per entry: else a few
   * thousand descriptors of one large directory would fill the Java heap.
   */
  private static final int FREE_ENTRIES = 256;

  private static final int ENTRY_BYTES = 64;

  /** Status flags that {@code fcntl(F_SETFL)} may change. */
  private static final int SETTABLE = FileMode.O_APPEND | FileMode.O_NONBLOCK;

  private final Inode inode;
  private int flags;
  private long position;
  private int descriptors;
  private List<Directory.Entry> listing;

  OpenFile(Inode inode, int flags) {
    this.inode = inode;
    this.flags = flags;
    inode.retain();
    inode.opened(flags);
  }

  public Inode inode() {
    return inode;
  }

  /** Access mode and status flags, as {@code fcntl(F_GETFL)} shows them. */
  public int flags() {
    return flags;
  }

  public void setStatusFlags(int value) {
    flags = (flags & ~SETTABLE) | (value & SETTABLE);
  }

  public long position() {
    return position;
  }

  public boolean isDirectory() {
    return inode instanceof Directory;
  }

  void restorePosition(long value, int oldFlags) {
    position = value;
    flags = oldFlags;
  }

  private void forgetListing() {
    if (listing != null) {
      inode.volume.quota.release(chargeFor(listing));
      listing = null;
    }
  }

  private static long chargeFor(List<Directory.Entry> entries) {
    return entries.size() > FREE_ENTRIES ? (long) entries.size() * ENTRY_BYTES : 0;
  }

  void addDescriptor() {
    descriptors++;
  }

  /** Forgets one descriptor; the last one closes the file. */
  void dropDescriptor() {
    if (--descriptors == 0) {
      forgetListing();
      inode.closed(flags);
      inode.release();
    }
  }

  /** Takes the file back into use after a restore. */
  void reopen() {
    if (descriptors++ == 0) {
      inode.retainRestored();
      inode.opened(flags);
    }
  }

  private void requireReadable() {
    if ((flags & FileMode.O_ACCMODE) == FileMode.O_WRONLY || (flags & FileMode.O_PATH) != 0) {
      throw PosixException.of(Errno.EBADF);
    }
  }

  private void requireWritable() {
    if ((flags & FileMode.O_ACCMODE) == FileMode.O_RDONLY || (flags & FileMode.O_PATH) != 0) {
      throw PosixException.of(Errno.EBADF);
    }
  }

  private void requireSeekable() {
    if (!inode.seekable()) {
      throw PosixException.of(Errno.ESPIPE);
    }
  }

  /** Reads at the position and advances it; returns 0 at the end. */
  public int read(ByteSpace space, int address, int length) {
    requireReadable();
    int count = inode.read(space, address, length, position);
    position += count;
    return count;
  }

  public int readAt(ByteSpace space, int address, int length, long offset) {
    requireSeekable();
    requireReadable();
    requireOffset(offset);
    return inode.read(space, address, length, offset);
  }

  /** Writes at the position, or at the end under {@code O_APPEND}, and advances it. */
  public int write(ByteSpace space, int address, int length) {
    requireWritable();
    if ((flags & FileMode.O_APPEND) != 0 && inode.seekable()) {
      position = inode.size();
    }
    if (length == 0) {
      return 0;
    }
    int count = inode.write(space, address, length, position);
    position += count;
    return count;
  }

  public int writeAt(ByteSpace space, int address, int length, long offset) {
    requireSeekable();
    requireWritable();
    requireOffset(offset);
    return length == 0 ? 0 : inode.write(space, address, length, offset);
  }

  private static void requireOffset(long offset) {
    if (offset < 0) {
      throw PosixException.of(Errno.EINVAL);
    }
  }

  /** Moves the position: from the start (0), from it (1) or from the end (2). */
  public long seek(long offset, int whence) {
    requireSeekable();
    long origin =
        switch (whence) {
          case 0 -> 0;
          case 1 -> position;
          case 2 -> isDirectory() ? 0 : inode.size();
          default -> throw PosixException.of(Errno.EINVAL);
        };
    long target = origin + offset;
    if (inode instanceof DeviceFile) {
      return position = 0;
    }
    if (target < 0) {
      throw PosixException.of(offset > 0 ? Errno.EOVERFLOW : Errno.EINVAL);
    }
    position = target;
    if (target == 0) {
      forgetListing(); // rewinddir sees what is there now
    }
    return target;
  }

  /** Sets the size; what is added reads as zeros. */
  public void truncate(long size) {
    if (size < 0
        || !(inode instanceof RegularFile)
        || (flags & FileMode.O_ACCMODE) == FileMode.O_RDONLY) {
      throw PosixException.of(Errno.EINVAL);
    }
    inode.truncate(size);
  }

  /**
   * The directory's entries, {@code .} and {@code ..} first, as they were when the listing began:
   * removing entries while reading neither hides nor repeats others.
   */
  List<Directory.Entry> listing() {
    if (!(inode instanceof Directory directory)) {
      throw PosixException.of(Errno.ENOTDIR);
    }
    if (listing == null) {
      List<Directory.Entry> entries = directory.list();
      inode.volume.quota.charge(chargeFor(entries));
      listing = entries;
    }
    return listing;
  }

  /** {@code POLLIN} and friends that hold now. */
  public int poll() {
    return inode.poll(flags);
  }

  /** Bytes that can be read without waiting. */
  public int available() {
    if (inode instanceof Pipe pipe) {
      return pipe.available();
    }
    return (int) Math.max(0, Math.min(Integer.MAX_VALUE, inode.size() - position));
  }

  /**
   * Hands out entries of a directory from the position on, until {@code consumer} has no room.
   *
   * @return true if all were handed out
   */
  public boolean list(EntryConsumer consumer) {
    List<Directory.Entry> entries = listing();
    while (position < entries.size()) {
      Directory.Entry entry = entries.get((int) position);
      if (!consumer.accept(entry.name(), entry.number(), entry.type(), position + 1)) {
        return false;
      }
      position++;
    }
    return true;
  }

  /** Takes one directory entry. */
  @FunctionalInterface
  public interface EntryConsumer {
    /**
     * Takes an entry.
     *
     * @param name in wire form
     * @param next position of the entry after this one
     * @return false if there was no room for it
     */
    boolean accept(String name, long inode, int type, long next);
  }
}
