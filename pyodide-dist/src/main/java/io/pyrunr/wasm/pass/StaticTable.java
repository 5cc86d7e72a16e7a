package io.pyrunr.wasm.pass;

import io.pyrunr.wasm.ir.Instr.Op;
import io.pyrunr.wasm.ir.IrModule;
import io.pyrunr.wasm.ir.IrModule.ElementSegment;
import io.pyrunr.wasm.ir.Opcodes;
import java.util.SortedMap;
import java.util.TreeMap;

/** The table as a module's element segments fill it. */
final class StaticTable {
  private StaticTable() {}

  /** Function index by table index. Segments whose place is known only at run time are left out. */
  static SortedMap<Integer, Integer> of(IrModule module) {
    SortedMap<Integer, Integer> functions = new TreeMap<>();
    for (ElementSegment segment : module.elements()) {
      if (segment.offset().size() == 1 && segment.offset().get(0).opcode() == Opcodes.I32_CONST) {
        int at = ((Op) segment.offset().get(0)).index();
        for (int function : segment.functions()) {
          functions.put(at++, function);
        }
      }
    }
    return functions;
  }
}
