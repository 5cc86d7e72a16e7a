package io.pyrunr.executor.internal.link;

import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.Import;
import com.dylibso.chicory.wasm.types.TagImport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds out what side modules ask for and nobody has, before any of them is loaded: to load one
 * with an undefined datum fails, to call an undefined function does. Whether the one that has a
 * symbol is in reach of the one that asks is seen only when they are loaded.
 *
 * <p>Immutable and thread-safe.
 */
public final class UndefinedSymbols {
  /** What the loader gives each module, in the dynamic linking convention of WebAssembly. */
  private static final Set<String> OF_THE_LOADER =
      Set.of(
          "memory",
          "__indirect_function_table",
          "__memory_base",
          "__table_base",
          "__stack_pointer");

  private final Set<String> defined = new HashSet<>(OF_THE_LOADER);
  private final Set<String> libraries = new HashSet<>();

  /**
   * Prepares the look-up.
   *
   * @param main the main module
   * @param others all side modules there are
   * @param fileNames of the libraries there are, without folders
   */
  public UndefinedSymbols(
      WasmModule main, Collection<SideModule> others, Collection<String> fileNames) {
    for (int i = 0; i < main.importSection().importCount(); i++) {
      defined.add(main.importSection().getImport(i).name()); // the host has all of them
    }
    for (int i = 0; i < main.exportSection().exportCount(); i++) {
      defined.add(main.exportSection().getExport(i).name());
    }
    others.forEach(module -> defined.addAll(module.symbols()));
    libraries.addAll(fileNames);
  }

  /** Libraries and symbols that {@code module} cannot do without and nobody has, sorted. */
  public List<String> of(SideModule module) {
    Set<String> undefined = new TreeSet<>();
    WasmModule wasm = module.module();
    for (int i = 0; i < wasm.importSection().importCount(); i++) {
      Import each = wasm.importSection().getImport(i);
      boolean known =
          defined.contains(each.name())
              || each instanceof TagImport
              || module.dylink().weakImports().contains(each.name());
      if (!known) {
        undefined.add(each.name());
      }
    }
    List<String> result = new ArrayList<>();
    for (String library : module.dylink().needed()) {
      if (!libraries.contains(library.substring(library.lastIndexOf('/') + 1))) {
        result.add(library);
      }
    }
    result.addAll(undefined);
    return result;
  }
}
