package io.pyrunr.wasm.internal.pass.link;

import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.ir.IrModule.Kind;
import java.util.Map;

/**
 * Where the parts of a main module stand in memory and table: all that is decided when it is
 * linked. There are two kinds, and which one a module is shows in what it imports.
 */
public interface MainLayout {

  /**
   * Lays out a module; functions that need a table entry and have none get one. A module that
   * brings memory, table and exception tags imports them afterwards.
   */
  static MainLayout of(IrModule module) {
    boolean positionIndependent =
        module.imports(Kind.GLOBAL).stream()
            .anyMatch(global -> global.name().equals("__memory_base"));
    if (positionIndependent) {
      return new StaticLink(module);
    }
    SharedParts.importIn(module);
    return new FixedAddresses(module);
  }

  /** First byte of static data. */
  int memoryBase();

  /** Lowest address of the C stack. */
  int stackLow();

  /** Initial stack pointer. */
  int stackHigh();

  /** First byte that {@code malloc} may use. */
  int heapBase();

  /** Entries of the function table. */
  int tableSize();

  /** Value of each imported global that never changes, by global index. */
  Map<Integer, Integer> constants();

  /** Value of each global of the module's own that only the start function sets, by index. */
  Map<Integer, Integer> internalConstants();
}
