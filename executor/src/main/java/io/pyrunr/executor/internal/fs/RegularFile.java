package io.pyrunr.executor.internal.fs;

/** A regular file. */
final class RegularFile extends Inode {
  private FileContent content;

  RegularFile(Volume volume, int permissions) {
    super(volume, FileMode.S_IFREG | permissions);
    content = new FileContent(volume.quota, null);
  }

  RegularFile(Volume volume, BaseLayer.File origin) {
    super(volume, FileMode.S_IFREG | origin.permissions(), origin, 1);
    content = new FileContent(volume.quota, origin.content());
  }

  @Override
  public long size() {
    return content.size();
  }

  @Override
  long storedBytes() {
    return content.stored();
  }

  @Override
  boolean seekable() {
    return true;
  }

  @Override
  Runnable saveContent() {
    FileContent old = content;
    content = old.fork();
    return () -> content = old;
  }

  @Override
  int read(ByteSpace space, int address, int length, long position) {
    return content.read(space, address, length, position);
  }

  @Override
  int write(ByteSpace space, int address, int length, long position) {
    touch();
    int count = content.write(space, address, length, position);
    markModified();
    return count;
  }

  @Override
  void truncate(long size) {
    touch();
    content.truncate(size);
    markModified();
  }

  byte[] toByteArray() {
    return content.toByteArray();
  }

  /** Content that is still that of the read-only layer, or null. */
  BaseLayer.Content baseContent() {
    return content.untouched();
  }
}
