package io.pyrunr.executor.internal.fs;

import java.util.ArrayList;

/**
 * What the inodes of one file system share: quota, inode numbers and the undo journal.
 *
 * <p>The journal makes a reset cost what was touched, not what exists. An inode that is about to
 * change for the first time since the last snapshot leaves behind the action that brings its old
 * state back. Undoing runs the actions in reverse; inodes made since then become unreachable.
 */
final class Volume {
  final StorageQuota quota = new StorageQuota();
  private final ArrayList<Runnable> undo = new ArrayList<>();
  private long epoch;
  private boolean recording;
  private long nextInode;

  Volume(long firstInode) {
    nextInode = firstInode;
  }

  long newInodeNumber() {
    return nextInode++;
  }

  long nextInode() {
    return nextInode;
  }

  /**
   * Changes with every snapshot and restore; an inode saved in this epoch need not be saved again.
   */
  long epoch() {
    return epoch;
  }

  boolean recording() {
    return recording;
  }

  void record(Runnable action) {
    undo.add(action);
  }

  /** Starts recording; returns the position to rewind to. */
  int mark() {
    recording = true;
    epoch++;
    return undo.size();
  }

  /** Undoes what was recorded after {@code mark}. */
  void rewind(int mark, long inode) {
    for (int i = undo.size() - 1; i >= mark; i--) {
      undo.remove(i).run();
    }
    nextInode = inode;
    epoch++;
  }

  int recorded() {
    return undo.size();
  }
}
