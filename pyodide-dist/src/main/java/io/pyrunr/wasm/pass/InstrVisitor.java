package io.pyrunr.wasm.pass;

import io.pyrunr.wasm.ir.Instr;
import io.pyrunr.wasm.ir.Instr.Block;
import java.util.List;
import java.util.function.Consumer;

/** Walks a tree of instructions in program order, a block before what is in it. */
final class InstrVisitor {
  private InstrVisitor() {}

  static void forEach(List<Instr> list, Consumer<Instr> action) {
    for (Instr instr : list) {
      action.accept(instr);
      if (instr instanceof Block block) {
        block.bodies.forEach(body -> forEach(body, action));
      }
    }
  }
}
