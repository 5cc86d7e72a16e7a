package io.pyrunr.executor.internal.link;

import java.util.List;
import java.util.Map;

/**
 * Which side modules an interpreter has loaded and where they stand, as data: part of a boot image.
 * Memory and table, which hold what the modules put there, are kept with it.
 *
 * @param modules in the order they were loaded
 * @param handles index of the module in that list by the address of Emscripten's {@code struct dso}
 */
public record ModulesImage(List<Module> modules, Map<Integer, Integer> handles) {
  public static final ModulesImage NONE = new ModulesImage(List.of(), Map.of());

  /**
   * A loaded module.
   *
   * @param path its file in the read-only layer
   * @param memoryBase address of its data
   * @param tableBase index of its first table entry
   * @param global whether its symbols are for all modules loaded later
   * @param root index of the module that was opened, of which this one is or which needed it
   * @param dependencies indices of the modules it needed
   * @param addedEntries table index by function, for those not in the module's own segments
   * @param globals values of the globals it may set while it runs
   */
  public record Module(
      String path,
      int memoryBase,
      int tableBase,
      boolean global,
      int root,
      List<Integer> dependencies,
      Map<Integer, Integer> addedEntries,
      List<Long> globals) {
    public Module {
      dependencies = List.copyOf(dependencies);
      addedEntries = Map.copyOf(addedEntries);
      globals = List.copyOf(globals);
    }
  }

  public ModulesImage {
    modules = List.copyOf(modules);
    handles = Map.copyOf(handles);
  }
}
