package io.pyrunr.executor.internal.fs;

import java.util.HashMap;
import java.util.Map;

/**
 * The files behind memory that writes through to them, by address. As POSIX has it, a mapping keeps
 * its file open whatever becomes of the descriptor it was made with.
 */
final class MappedFiles {
  private final Map<Integer, OpenFile> files = new HashMap<>();

  /** The file mapped at an address, or null. */
  OpenFile find(int address) {
    return files.get(address);
  }

  void put(int address, OpenFile file) {
    file.addDescriptor();
    OpenFile before = files.put(address, file);
    if (before != null) {
      before.dropDescriptor();
    }
  }

  void remove(int address) {
    OpenFile file = files.remove(address);
    if (file != null) {
      file.dropDescriptor();
    }
  }

  void removeAll() {
    files.values().forEach(OpenFile::dropDescriptor);
    files.clear();
  }

  // ---------------------------------------------------------------- snapshots

  Map<Integer, OpenFile> save() {
    return Map.copyOf(files);
  }

  /** Brings a state back when nothing is mapped. */
  void load(Map<Integer, OpenFile> state) {
    files.putAll(state);
    state.values().forEach(OpenFile::reopen);
  }
}
