package io.pyrunr.wasm.internal.pass.link;

import io.pyrunr.wasm.format.DylinkSection;
import io.pyrunr.wasm.internal.ir.Instr;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.ir.IrModule.ElementSegment;
import io.pyrunr.wasm.internal.ir.IrModule.Export;
import io.pyrunr.wasm.internal.ir.IrModule.Import;
import io.pyrunr.wasm.internal.ir.IrModule.Kind;
import io.pyrunr.wasm.internal.ir.Opcodes;
import io.pyrunr.wasm.internal.pass.InstrVisitor;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides the addresses of a main module: where its data, stack and table entries stand, and so the
 * value of every global it imports to learn them. Source: Emscripten's {@code MAIN_MODULE} layout,
 * data from 1,024 up, then the stack, then the heap.
 */
final class StaticLink implements MainLayout {
  private static final int GLOBAL_BASE = 1024;
  private static final int TABLE_BASE = 1;
  private static final int STACK_SIZE = 5 << 20;
  private static final int STACK_ALIGNMENT = 16;

  private final IrModule module;
  private final int stackLow;
  private final int stackHigh;
  private final TableEntries entries;
  private final Map<Integer, Integer> constants = new LinkedHashMap<>();
  private final Map<Integer, Integer> internal = new LinkedHashMap<>();

  /** Lays out {@code module}; functions that need a table entry and have none get one. */
  StaticLink(IrModule module) {
    this.module = module;
    DylinkSection dylink = module.dylink();
    stackLow = alignUp(GLOBAL_BASE + dylink.memorySize(), STACK_ALIGNMENT);
    stackHigh = stackLow + STACK_SIZE;
    entries = new TableEntries(module);
    int entry = TABLE_BASE;
    for (ElementSegment segment : module.elements()) {
      entries.add(entry, segment.functions());
      entry += segment.functions().size();
    }
    resolveGlobals();
    addInternalGlobals();
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
  public int tableSize() {
    return entries.size();
  }

  @Override
  public int heapBase() {
    return stackHigh;
  }

  @Override
  public Map<Integer, Integer> constants() {
    return constants;
  }

  /**
   * Position-independent code reaches its own data through mutable globals that the start function
   * sets, each once and to an address, and nothing sets again: constants too.
   */
  private void addInternalGlobals() {
    if (module.start() == null || module.start() < module.importedFunctionCount()) {
      return;
    }
    Map<Integer, Integer> sets = new HashMap<>();
    for (int f = module.importedFunctionCount(); f < module.functionCount(); f++) {
      InstrVisitor.forEach(
          module.decode(f).body().body(),
          instr -> {
            if (instr.opcode() == Opcodes.GLOBAL_SET) {
              sets.merge(((Op) instr).index(), 1, Integer::sum);
            }
          });
    }
    module.exports().stream()
        .filter(export -> export.kind() == Kind.GLOBAL)
        .forEach(export -> sets.put(export.index(), Integer.MAX_VALUE));
    List<Instr> start = module.decode(module.start()).body().body();
    for (int i = 3; i < start.size(); i++) {
      if (start.get(i) instanceof Op set
          && set.opcode() == Opcodes.GLOBAL_SET
          && sets.get(set.index()) == 1
          && start.get(i - 1).opcode() == Opcodes.I32_ADD
          && start.get(i - 2) instanceof Op offset
          && offset.opcode() == Opcodes.I32_CONST
          && start.get(i - 3) instanceof Op base
          && base.opcode() == Opcodes.GLOBAL_GET
          && constants.containsKey(base.index())) {
        internal.put(set.index(), constants.get(base.index()) + offset.index());
      }
    }
  }

  @Override
  public Map<Integer, Integer> internalConstants() {
    return internal;
  }

  private void resolveGlobals() {
    Map<String, Export> exports = new HashMap<>();
    module.exports().forEach(export -> exports.put(export.name(), export));
    List<Import> globals = module.imports(Kind.GLOBAL);
    for (int i = 0; i < globals.size(); i++) {
      Import global = globals.get(i);
      Export export = exports.get(global.name());
      switch (global.module()) {
        case "GOT.func" -> {} // below
        case "GOT.mem" -> constants.put(i, dataAddress(global.name(), export));
        default -> {
          switch (global.name()) {
            case "__memory_base" -> constants.put(i, GLOBAL_BASE);
            case "__table_base" -> constants.put(i, TABLE_BASE);
            default -> {} // __stack_pointer changes
          }
        }
      }
    }
    entries.resolve(constants);
  }

  private int dataAddress(String name, Export export) {
    switch (name) {
      case "__heap_base", "__stack_high" -> {
        return stackHigh;
      }
      case "__stack_low" -> {
        return stackLow;
      }
      default -> {}
    }
    if (export == null || export.kind() != Kind.GLOBAL) {
      return 0;
    }
    IrModule.Global global = module.globals().get(export.index() - module.importedGlobalCount());
    return GLOBAL_BASE + global.init().get(0).index();
  }

  private static int alignUp(int value, int alignment) {
    return (value + alignment - 1) & -alignment;
  }
}
