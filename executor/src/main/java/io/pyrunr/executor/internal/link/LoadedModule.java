package io.pyrunr.executor.internal.link;

import com.dylibso.chicory.runtime.Instance;
import io.pyrunr.wasm.runtime.FunctionTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A side module in one interpreter. Between layout and instantiation it has no instance yet. */
final class LoadedModule {
  final String path;
  final SideModule module;
  final int memoryBase;
  final int tableBase;
  boolean global;

  /** The module that was opened: this one, or one that needs it, directly or not. */
  LoadedModule root;

  final List<LoadedModule> dependencies = new ArrayList<>();
  Instance instance;

  /** Table entries of functions that the module's own segments give none, by function. */
  private final Map<Integer, Integer> addedEntries = new HashMap<>();

  LoadedModule(String path, SideModule module, int memoryBase, int tableBase, boolean global) {
    this.path = path;
    this.module = module;
    this.memoryBase = memoryBase;
    this.tableBase = tableBase;
    this.global = global;
  }

  /** As {@code captured}, without what refers to other modules. */
  static LoadedModule of(ModulesImage.Module captured, SideModule module) {
    LoadedModule result =
        new LoadedModule(
            captured.path(),
            module,
            captured.memoryBase(),
            captured.tableBase(),
            captured.global());
    result.addedEntries.putAll(captured.addedEntries());
    return result;
  }

  /** Address of an exported datum, or 0. */
  int dataAddress(String name) {
    Integer offset = module.datum(name);
    return offset == null ? 0 : memoryBase + offset;
  }

  /** Table index of a function if it has one, or 0. */
  int knownEntry(int function) {
    Integer offset = module.tableOffset(function);
    return offset == null ? addedEntries.getOrDefault(function, 0) : tableBase + offset;
  }

  void addEntry(int function, int index) {
    addedEntries.put(function, index);
  }

  Map<Integer, Integer> addedEntries() {
    return addedEntries;
  }

  /**
   * Gives the functions in {@link #addedEntries} their table entries, once there is an instance.
   */
  void fillAddedEntries(FunctionTable table) {
    addedEntries.forEach((function, index) -> table.setRef(index, function, instance));
  }

  /** Values of the globals that its code may set. */
  List<Long> changingGlobals() {
    return module.changingGlobals().stream()
        .map(global -> instance.global(global).getValue())
        .toList();
  }

  void setChangingGlobals(List<Long> values) {
    List<Integer> globals = module.changingGlobals();
    for (int i = 0; i < globals.size(); i++) {
      instance.global(globals.get(i)).setValue(values.get(i));
    }
  }
}
