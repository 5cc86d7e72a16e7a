package io.pyrunr.executor.internal.runtime;

import com.dylibso.chicory.runtime.ExportFunction;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.TableInstance;
import com.dylibso.chicory.wasm.types.Export;
import com.dylibso.chicory.wasm.types.FunctionType;
import io.pyrunr.executor.internal.emscripten.GuestExports;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The way from Java into an instance. */
final class Exports implements GuestExports {
  /** Marks a table entry whose parameter count is not known yet. */
  private static final byte UNKNOWN = -1;

  private final Map<String, ExportFunction> functions = new HashMap<>();
  private Instance instance;
  private TableInstance table;
  private int memoryBase;
  private byte[] parameters = {};

  void link(Instance linked, int base) {
    instance = linked;
    table = linked.table(0);
    memoryBase = base;
  }

  @Override
  public long call(String function, long... args) {
    long[] result = function(function).apply(args);
    return result == null || result.length == 0 ? 0 : result[0];
  }

  /** An exported function, looked up once. */
  ExportFunction function(String name) {
    ExportFunction known = functions.get(name);
    if (known == null) {
      known = instance.export(name);
      functions.put(name, known);
    }
    return known;
  }

  @Override
  public int address(String symbol) {
    // Data exports of a position-independent module are relative to where its data was put.
    return memoryBase + (int) instance.exports().global(symbol).getValue();
  }

  @Override
  public long callTable(int index, long... args) {
    int function = table.requiredRef(index);
    Instance owner = table.instance(index);
    int taken = parameterCount(index, function, owner);
    long[] fitting = taken == args.length ? args : Arrays.copyOf(args, taken);
    long[] result = owner.getMachine().call(function, fitting);
    return result == null || result.length == 0 ? 0 : result[0];
  }

  /**
   * What a C program means by the address of an export: a datum's address, or a function's index in
   * the table, where it is put if it has no entry yet.
   *
   * @return 0 if there is no such export
   */
  int symbol(String name) {
    var section = instance.module().exportSection();
    for (int i = 0; i < section.exportCount(); i++) {
      Export export = section.getExport(i);
      if (export.name().equals(name)) {
        return switch (export.exportType()) {
          case FUNCTION -> tableIndex(export.index());
          case GLOBAL -> address(name);
          default -> 0;
        };
      }
    }
    return 0;
  }

  private int tableIndex(int function) {
    for (int i = 0; i < table.size(); i++) {
      if (table.ref(i) == function && table.instance(i) == instance) {
        return i;
      }
    }
    return Math.max(0, table.grow(1, function, instance));
  }

  private int parameterCount(int index, int function, Instance owner) {
    if (index >= parameters.length) {
      int before = parameters.length;
      parameters = Arrays.copyOf(parameters, table.size());
      Arrays.fill(parameters, before, parameters.length, UNKNOWN);
    }
    int known = parameters[index];
    if (known == UNKNOWN) {
      FunctionType type = owner.type(owner.functionType(function));
      known = type.params().size();
      parameters[index] = (byte) known;
    }
    return known;
  }

  /** Forgets what is known of table entries from {@code size} on; they were given back. */
  void forgetTable(int size) {
    parameters = Arrays.copyOf(parameters, Math.min(size, parameters.length));
  }
}
