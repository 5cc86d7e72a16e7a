package io.pyrunr.executor.internal.link;

import io.pyrunr.wasm.runtime.FunctionTable;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Whose symbols a module sees, first match first: the main module's, those of libraries opened with
 * {@code RTLD_GLOBAL}, of those that the opened library and the module itself need, its own.
 */
final class SymbolScope {
  private final MainExports main;
  private final FunctionTable table;
  private final LoadedModules loaded;
  private final Set<LoadedModule> modules = new LinkedHashSet<>();

  /** The scope of {@code module}, whose root and dependencies are known. */
  SymbolScope(MainExports main, FunctionTable table, LoadedModules loaded, LoadedModule module) {
    this.main = main;
    this.table = table;
    this.loaded = loaded;
    for (LoadedModule each : loaded.all()) {
      if (each.global) {
        modules.add(each);
      }
    }
    addDependencies(module.root);
    addDependencies(module);
    modules.add(module);
  }

  private void addDependencies(LoadedModule module) {
    for (LoadedModule each : module.dependencies) {
      if (modules.add(each)) {
        addDependencies(each);
      }
    }
  }

  /** The first side module that exports a function of this name, or null. */
  LoadedModule withFunction(String name) {
    for (LoadedModule each : modules) {
      if (each.module.function(name) != null) {
        return each;
      }
    }
    return null;
  }

  /** Address of a symbol: a datum's, or a function's table index; 0 if nobody defines it. */
  int address(String name) {
    int address = main.symbol(name);
    for (LoadedModule each : modules) {
      if (address != 0) {
        break;
      }
      address = address(each, name, table, loaded);
    }
    return address;
  }

  /** Address of one module's own symbol, or 0; a function without a table entry gets one. */
  static int address(LoadedModule module, String name, FunctionTable table, LoadedModules loaded) {
    Integer function = module.module.function(name);
    if (function == null) {
      return module.dataAddress(name);
    }
    int known = module.knownEntry(function);
    if (known != 0) {
      return known;
    }
    loaded.changed();
    // The reference is NULL as long as the module has no instance.
    int reference = module.instance == null ? FunctionTable.NULL : function;
    int added = table.grow(1, reference, module.instance);
    if (added < 0) {
      return 0;
    }
    module.addEntry(function, added);
    return added;
  }
}
