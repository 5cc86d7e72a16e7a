package io.pyrunr.executor.internal.link;

import com.dylibso.chicory.runtime.ExportFunction;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.Export;
import com.dylibso.chicory.wasm.types.ExternalType;
import com.dylibso.chicory.wasm.types.FunctionImport;
import com.dylibso.chicory.wasm.types.FunctionType;
import io.pyrunr.executor.internal.emscripten.GuestExports;
import io.pyrunr.wasm.runtime.FunctionTable;
import io.pyrunr.wasm.runtime.LinearMemory;
import io.pyrunr.wasm.runtime.TableEntry;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The way from Java into the main module's instance, and what it exports. */
public final class MainExports implements GuestExports {
  private final Map<String, ExportFunction> callable = new HashMap<>();

  /** Indices of functions by name: exported ones, and imported ones, which the host provides. */
  private final Map<String, Integer> functions = new HashMap<>();

  private final Map<String, Integer> globals = new HashMap<>();
  private Instance instance;
  private LinearMemory memory;
  private int memoryBase;
  private int firstDefined;

  /** Table index by function, as far as it has been asked for; null when it is stale. */
  private Map<Integer, Integer> tableIndices;

  public void link(Instance linked, LinearMemory shared, int base) {
    instance = linked;
    memory = shared;
    memoryBase = base;
    WasmModule module = linked.module();
    for (int i = 0; i < module.importSection().importCount(); i++) {
      if (module.importSection().getImport(i) instanceof FunctionImport function) {
        functions.put(function.name(), firstDefined++);
      }
    }
    for (int i = 0; i < module.exportSection().exportCount(); i++) {
      Export export = module.exportSection().getExport(i);
      if (export.exportType() == ExternalType.FUNCTION) {
        functions.put(export.name(), export.index());
      } else if (export.exportType() == ExternalType.GLOBAL) {
        globals.put(export.name(), export.index());
      }
    }
  }

  @Override
  public long call(String function, long... args) {
    long[] result = function(function).apply(args);
    return result == null || result.length == 0 ? 0 : result[0];
  }

  /** An exported function, looked up once. */
  ExportFunction function(String name) {
    ExportFunction known = callable.get(name);
    if (known == null) {
      known = instance.export(name);
      callable.put(name, known);
    }
    return known;
  }

  /** Whether a function of this name is exported. */
  boolean hasFunction(String name) {
    Integer index = functions.get(name);
    return index != null && index >= firstDefined;
  }

  /** Index of an exported function of this name and type, or null. */
  Integer function(String name, FunctionType type) {
    return hasFunction(name)
            && instance.type(instance.functionType(functions.get(name))).equals(type)
        ? functions.get(name)
        : null;
  }

  @Override
  public int address(String symbol) {
    // Data exports of a position-independent module are relative to where its data was put.
    return memoryBase + (int) instance.global(globals.get(symbol)).getValue();
  }

  @Override
  public long callTable(int index, long... args) {
    TableEntry function = memory.table.entry(index);
    int taken = function.parameterCount();
    long[] fitting = taken == args.length ? args : Arrays.copyOf(args, taken);
    long[] result = function.apply(fitting, memory);
    return result.length == 0 ? 0 : result[0];
  }

  /**
   * What a C program means by the address of a symbol: a datum's address, or a function's index in
   * the table, where it is put if it has no entry yet.
   *
   * @return 0 if there is no such symbol
   */
  int symbol(String name) {
    if (globals.containsKey(name)) {
      return address(name);
    }
    Integer function = functions.get(name);
    return function == null ? 0 : tableIndex(function);
  }

  private int tableIndex(int function) {
    FunctionTable table = memory.table;
    if (tableIndices == null) {
      tableIndices = new HashMap<>();
      for (int i = table.size() - 1; i > 0; i--) {
        if (table.ref(i) != FunctionTable.NULL && table.instance(i) == instance) {
          tableIndices.put(table.ref(i), i);
        }
      }
    }
    return tableIndices.computeIfAbsent(
        function, added -> Math.max(0, table.grow(1, added, instance)));
  }

  /** To be called when the table was changed by others. */
  public void tableChanged() {
    tableIndices = null;
  }
}
