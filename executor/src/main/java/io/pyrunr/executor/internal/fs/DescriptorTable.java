package io.pyrunr.executor.internal.fs;

import java.util.Arrays;

/** File descriptors: small numbers for open file descriptions, lowest free one first. */
final class DescriptorTable {
  /** As many as Emscripten allows. */
  static final int MAXIMUM = 4096;

  private OpenFile[] files = new OpenFile[16];
  private boolean[] closeOnExec = new boolean[16];

  OpenFile get(int descriptor) {
    OpenFile file = find(descriptor);
    if (file == null) {
      throw PosixException.of(Errno.EBADF);
    }
    return file;
  }

  /** Like {@link #get}, but null for a closed one. */
  OpenFile find(int descriptor) {
    return descriptor >= 0 && descriptor < files.length ? files[descriptor] : null;
  }

  /** The lowest free descriptor that is not below {@code from}. */
  int free(int from) {
    int descriptor = from;
    while (descriptor < files.length && files[descriptor] != null) {
      descriptor++;
    }
    if (descriptor >= MAXIMUM) {
      throw PosixException.of(Errno.EMFILE);
    }
    return descriptor;
  }

  void put(int descriptor, OpenFile file, boolean cloexec) {
    if (descriptor >= files.length) {
      int length = Math.min(MAXIMUM, Math.max(descriptor + 1, files.length * 2));
      files = Arrays.copyOf(files, length);
      closeOnExec = Arrays.copyOf(closeOnExec, length);
    }
    files[descriptor] = file;
    closeOnExec[descriptor] = cloexec;
    file.addDescriptor();
  }

  /**
   * {@code F_DUPFD}: the lowest free descriptor not below {@code from} stands for the same file.
   */
  int duplicate(int descriptor, int from, boolean cloexec) {
    OpenFile file = get(descriptor);
    if (from < 0 || from >= MAXIMUM) {
      throw PosixException.of(Errno.EINVAL);
    }
    int copy = free(from);
    put(copy, file, cloexec);
    return copy;
  }

  /** {@code dup3}: {@code target} stands for the same file; what it was is closed. */
  int duplicateTo(int descriptor, int target, boolean cloexec) {
    OpenFile file = get(descriptor);
    if (descriptor == target) {
      throw PosixException.of(Errno.EINVAL);
    }
    if (target < 0 || target >= MAXIMUM) {
      throw PosixException.of(Errno.EBADF);
    }
    if (find(target) != null) {
      close(target);
    }
    put(target, file, cloexec);
    return target;
  }

  void close(int descriptor) {
    OpenFile file = get(descriptor);
    files[descriptor] = null;
    file.dropDescriptor();
  }

  boolean closeOnExec(int descriptor) {
    get(descriptor);
    return closeOnExec[descriptor];
  }

  void setCloseOnExec(int descriptor, boolean value) {
    get(descriptor);
    closeOnExec[descriptor] = value;
  }

  void closeAll() {
    for (int i = 0; i < files.length; i++) {
      if (files[i] != null) {
        close(i);
      }
    }
  }

  // ---------------------------------------------------------------- snapshots

  /** What each descriptor stood for; a closed one is null. */
  static final class State {
    private final OpenFile[] files;
    private final boolean[] closeOnExec;
    private final long[] positions;
    private final int[] flags;

    private State(OpenFile[] files, boolean[] closeOnExec, long[] positions, int[] flags) {
      this.files = files;
      this.closeOnExec = closeOnExec;
      this.positions = positions;
      this.flags = flags;
    }
  }

  State save() {
    int length = files.length;
    while (length > 0 && files[length - 1] == null) {
      length--;
    }
    long[] positions = new long[length];
    int[] flags = new int[length];
    for (int i = 0; i < length; i++) {
      if (files[i] != null) {
        positions[i] = files[i].position();
        flags[i] = files[i].flags();
      }
    }
    return new State(
        Arrays.copyOf(files, length), Arrays.copyOf(closeOnExec, length), positions, flags);
  }

  /** Brings a state back into an empty table. */
  void load(State state) {
    int length = Math.max(16, state.files.length);
    if (files.length != length) {
      files = new OpenFile[length];
      closeOnExec = new boolean[length];
    }
    for (int i = 0; i < state.files.length; i++) {
      OpenFile file = state.files[i];
      files[i] = file;
      closeOnExec[i] = state.closeOnExec[i];
      if (file != null) {
        file.restorePosition(state.positions[i], state.flags[i]);
        file.reopen();
      }
    }
  }
}
