package io.pyrunr.executor.internal.fs;

import java.util.Map;

/** A state of one {@link VirtualFileSystem} that it can return to. Opaque; see there. */
public final class FileSystemSnapshot {
  final VirtualFileSystem owner;
  final int mark;
  final long nextInode;
  final long bytes;
  final int inodes;
  final DescriptorTable.State descriptors;
  final Map<Integer, OpenFile> mapped;
  final Directory workingDirectory;
  final int umask;

  FileSystemSnapshot(
      VirtualFileSystem owner,
      int mark,
      long nextInode,
      long bytes,
      int inodes,
      DescriptorTable.State descriptors,
      Map<Integer, OpenFile> mapped,
      Directory workingDirectory,
      int umask) {
    this.owner = owner;
    this.mark = mark;
    this.nextInode = nextInode;
    this.bytes = bytes;
    this.inodes = inodes;
    this.descriptors = descriptors;
    this.mapped = mapped;
    this.workingDirectory = workingDirectory;
    this.umask = umask;
  }
}
