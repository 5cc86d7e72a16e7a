package io.pyrunr.wasm.internal.pass.link;

import io.pyrunr.wasm.format.WasmFormatException;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.ir.IrModule.ElementSegment;
import io.pyrunr.wasm.internal.ir.IrModule.Export;
import io.pyrunr.wasm.internal.ir.IrModule.Kind;
import io.pyrunr.wasm.internal.ir.Opcodes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A main module whose addresses Emscripten's linker has fixed (Pyodide 314 and later): they are in
 * its code, and it says in exported globals where stack and heap are.
 */
final class FixedAddresses implements MainLayout {
  private static final int GLOBAL_BASE = 1024;

  private final IrModule module;
  private final int stackLow;
  private final int stackHigh;
  private final int heapBase;
  private final TableEntries entries;
  private final Map<Integer, Integer> constants = new HashMap<>();

  /** Reads the layout of a module that imports memory, table, tags and stack pointer. */
  FixedAddresses(IrModule module) {
    this.module = module;
    stackLow = value("__stack_low");
    stackHigh = value("__stack_high");
    heapBase = value("__heap_base");
    entries = new TableEntries(module);
    for (ElementSegment segment : module.elements()) {
      entries.add(constant(segment.offset()), segment.functions());
    }
    entries.resolve(constants);
  }

  private static int constant(List<Op> expression) {
    if (expression.size() != 1 || expression.get(0).opcode() != Opcodes.I32_CONST) {
      throw new WasmFormatException("an address of a module with fixed ones is computed");
    }
    return expression.get(0).index();
  }

  private int value(String name) {
    for (Export export : module.exports()) {
      if (export.kind() == Kind.GLOBAL && export.name().equals(name)) {
        return constant(module.globals().get(export.index() - module.importedGlobalCount()).init());
      }
    }
    throw new WasmFormatException("the module does not say where its " + name + " is");
  }

  @Override
  public int memoryBase() {
    return GLOBAL_BASE;
  }

  @Override
  public int stackLow() {
    return stackLow;
  }

  @Override
  public int stackHigh() {
    return stackHigh;
  }

  @Override
  public int heapBase() {
    return heapBase;
  }

  @Override
  public int tableSize() {
    return entries.size();
  }

  @Override
  public Map<Integer, Integer> constants() {
    return constants;
  }

  @Override
  public Map<Integer, Integer> internalConstants() {
    return Map.of();
  }
}
