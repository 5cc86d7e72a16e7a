package io.pyrunr.wasm.internal.pass.link;

import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.ir.IrModule.ElementSegment;
import io.pyrunr.wasm.internal.ir.IrModule.Export;
import io.pyrunr.wasm.internal.ir.IrModule.Import;
import io.pyrunr.wasm.internal.ir.IrModule.Kind;
import io.pyrunr.wasm.internal.ir.Opcodes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The table entries of a main module's functions, and those that {@code GOT.func} adds. */
final class TableEntries {
  private final IrModule module;
  private final Map<Integer, Integer> entryOfFunction = new HashMap<>();

  /** Entry 0 is C's null pointer. */
  private int size = 1;

  TableEntries(IrModule module) {
    this.module = module;
  }

  /** Notes that functions stand from an entry on. */
  void add(int firstEntry, List<Integer> functions) {
    int entry = firstEntry;
    for (int function : functions) {
      entryOfFunction.putIfAbsent(function, entry++);
    }
    size = Math.max(size, entry);
  }

  /** Entries of the table. */
  int size() {
    return size;
  }

  /**
   * Puts the value of each {@code GOT.func} import into {@code constants}; one that nobody defines
   * is weak, and zero. Functions without an entry get one.
   */
  void resolve(Map<Integer, Integer> constants) {
    Map<String, Export> exports = new HashMap<>();
    module.exports().forEach(export -> exports.put(export.name(), export));
    List<Integer> added = new ArrayList<>();
    int firstAdded = size;
    List<Import> globals = module.imports(Kind.GLOBAL);
    for (int i = 0; i < globals.size(); i++) {
      if (globals.get(i).module().equals("GOT.func")) {
        constants.put(i, address(exports.get(globals.get(i).name()), added));
      }
    }
    if (!added.isEmpty()) {
      module
          .elements()
          .add(new ElementSegment(List.of(new Op(Opcodes.I32_CONST, firstAdded)), added));
    }
  }

  private int address(Export export, List<Integer> added) {
    if (export == null || export.kind() != Kind.FUNCTION) {
      return 0;
    }
    return entryOfFunction.computeIfAbsent(
        export.index(),
        function -> {
          added.add(function);
          return size++;
        });
  }
}
