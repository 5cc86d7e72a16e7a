package io.pyrunr.executor.internal.fs;

/**
 * What the writable layer holds and how much it may: bytes of content (names of symbolic links and
 * pipe buffers included) and inodes. Without the second a job could fill the Java heap with empty
 * files.
 */
final class StorageQuota {
  private long byteLimit = Long.MAX_VALUE;
  private int inodeLimit = Integer.MAX_VALUE;
  private long bytes;
  private int inodes;
  private boolean refused;

  void limitBytes(long limit) {
    byteLimit = limit;
    refused = false;
  }

  void limitInodes(int limit) {
    inodeLimit = limit;
  }

  /** Whether anything was refused since the limit was set. */
  boolean refused() {
    return refused;
  }

  long byteLimit() {
    return byteLimit;
  }

  int inodeLimit() {
    return inodeLimit;
  }

  long bytes() {
    return bytes;
  }

  int inodes() {
    return inodes;
  }

  /** Accounts for bytes about to be stored, or fails with {@code ENOSPC}. */
  void charge(long count) {
    if (count > byteLimit - bytes) {
      refused = true;
      throw PosixException.of(Errno.ENOSPC);
    }
    bytes += count;
  }

  void release(long count) {
    bytes -= count;
  }

  /** Accounts for an inode about to be made, or fails with {@code ENOSPC}. */
  void chargeInode() {
    if (inodes >= inodeLimit) {
      refused = true;
      throw PosixException.of(Errno.ENOSPC);
    }
    inodes++;
  }

  void releaseInode() {
    inodes--;
  }

  void reset(long toBytes, int toInodes) {
    bytes = toBytes;
    inodes = toInodes;
  }
}
