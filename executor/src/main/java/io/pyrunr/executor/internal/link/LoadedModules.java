package io.pyrunr.executor.internal.link;

import com.dylibso.chicory.runtime.Instance;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The side modules of one interpreter, in the order they were loaded, and the handles a program
 * knows them by.
 *
 * <p>They go back to a captured state by being forgotten: memory and table, which hold what they
 * are to the program, are restored elsewhere.
 */
final class LoadedModules {
  private final Map<String, LoadedModule> byPath = new LinkedHashMap<>();
  private final Map<Integer, LoadedModule> byHandle = new HashMap<>();

  /** Whether anything was opened, or given a table entry, since the last capture or restore. */
  private boolean changed;

  Collection<LoadedModule> all() {
    return byPath.values();
  }

  /** The module of a file, or null. */
  LoadedModule find(String path) {
    return byPath.get(path);
  }

  /** The module that {@code dlopen} gave a handle for, or null. */
  LoadedModule find(int handle) {
    return byHandle.get(handle);
  }

  /** The module loaded from the same bytes, whatever its path, or null. */
  LoadedModule find(SideModule module) {
    for (LoadedModule known : byPath.values()) {
      if (known.module == module) {
        return known;
      }
    }
    return null;
  }

  void add(LoadedModule module) {
    changed = true;
    byPath.put(module.path, module);
  }

  void open(int handle, LoadedModule module) {
    changed = true;
    byHandle.put(handle, module);
  }

  /** To be called when a module gets a table entry of its own, or its symbols become global. */
  void changed() {
    changed = true;
  }

  /** The module an instance belongs to, by its place; -1 if it is none of these. */
  int ordinal(Instance owner) {
    int at = 0;
    for (LoadedModule module : byPath.values()) {
      if (module.instance == owner) {
        return at;
      }
      at++;
    }
    return -1;
  }

  /** The module at a place. */
  LoadedModule at(int ordinal) {
    return List.copyOf(byPath.values()).get(ordinal);
  }

  // ---------------------------------------------------------------- boot image

  /** What is loaded at this moment, as data. */
  ModulesImage capture() {
    List<LoadedModule> all = List.copyOf(byPath.values());
    List<ModulesImage.Module> captured = new ArrayList<>();
    for (LoadedModule each : all) {
      captured.add(
          new ModulesImage.Module(
              each.path,
              each.memoryBase,
              each.tableBase,
              each.global,
              all.indexOf(each.root),
              each.dependencies.stream().map(all::indexOf).toList(),
              each.addedEntries(),
              each.changingGlobals()));
    }
    Map<Integer, Integer> handles = new HashMap<>();
    byHandle.forEach((handle, module) -> handles.put(handle, all.indexOf(module)));
    changed = false;
    return new ModulesImage(captured, handles);
  }

  /** Says that these are all the modules, loaded as {@code image} has them. */
  void loaded(ModulesImage image) {
    List<LoadedModule> all = List.copyOf(byPath.values());
    image.handles().forEach((handle, index) -> byHandle.put(handle, all.get(index)));
    restoreGlobals(image);
    changed = false;
  }

  /** Forgets what was loaded and looked up since {@code image}, the one last captured or loaded. */
  void restore(ModulesImage image, int tableSize) {
    if (changed) {
      List<LoadedModule> all = List.copyOf(byPath.values());
      byPath.clear();
      byHandle.clear();
      for (int i = 0; i < image.modules().size(); i++) {
        LoadedModule module = all.get(i);
        module.global = image.modules().get(i).global();
        module.addedEntries().values().removeIf(index -> index >= tableSize);
        byPath.put(module.path, module);
      }
      image.handles().forEach((handle, index) -> byHandle.put(handle, all.get(index)));
      changed = false;
    }
    restoreGlobals(image);
  }

  private void restoreGlobals(ModulesImage image) {
    int at = 0;
    for (LoadedModule module : byPath.values()) {
      module.setChangingGlobals(image.modules().get(at++).globals());
    }
  }
}
