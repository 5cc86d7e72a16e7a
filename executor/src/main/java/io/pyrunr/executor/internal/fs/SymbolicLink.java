package io.pyrunr.executor.internal.fs;

/** A symbolic link; its target never changes. */
final class SymbolicLink extends Inode {
  private final String target;
  private final boolean stored;

  SymbolicLink(Volume volume, String target) {
    super(volume, FileMode.S_IFLNK | 0777);
    try {
      volume.quota.charge(target.length());
    } catch (PosixException e) {
      volume.quota.releaseInode();
      throw e;
    }
    this.target = target;
    this.stored = true;
  }

  SymbolicLink(Volume volume, BaseLayer.Link origin) {
    super(volume, FileMode.S_IFLNK | 0777, origin, 1);
    this.target = origin.target();
    this.stored = false;
  }

  String target() {
    return target;
  }

  @Override
  public long size() {
    return target.length();
  }

  @Override
  long storedBytes() {
    return stored ? target.length() : 0;
  }

  @Override
  Runnable saveContent() {
    return () -> {};
  }
}
