package io.pyrunr.wasm.internal.pass;

import io.pyrunr.wasm.internal.ir.Instr;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import java.util.List;
import java.util.function.Consumer;

/** Walks a tree of instructions in program order, a block before what is in it. */
public final class InstrVisitor {
  private InstrVisitor() {}

  public static void forEach(List<Instr> list, Consumer<Instr> action) {
    for (Instr instr : list) {
      action.accept(instr);
      if (instr instanceof Block block) {
        block.bodies.forEach(body -> forEach(body, action));
      }
    }
  }
}
