package io.pyrunr.wasm.internal.pass.link;

import io.pyrunr.wasm.format.LinkNotes;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.IrFunction;
import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.ir.Opcodes;
import io.pyrunr.wasm.internal.pass.FunctionPass;
import io.pyrunr.wasm.internal.pass.InstrVisitor;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Finds the globals of its own that a module sets while it runs, as opposed to those that only its
 * start function sets, to addresses: the former are state, to be restored between jobs.
 */
public final class ChangingGlobals implements FunctionPass {
  private final IrModule module;
  private final SortedSet<Integer> indices = new TreeSet<>();

  public ChangingGlobals(IrModule module) {
    this.module = module;
  }

  @Override
  public void apply(IrFunction function) {
    if (module.start() != null && module.start() == function.index()) {
      return;
    }
    InstrVisitor.forEach(
        function.body().body(),
        instr -> {
          if (instr.opcode() == Opcodes.GLOBAL_SET
              && instr instanceof Op set
              && set.index() >= module.importedGlobalCount()) {
            indices.add(set.index());
          }
        });
  }

  /** Writes them down for the loader. */
  public void finish() {
    module.customs().put(LinkNotes.GLOBALS, LinkNotes.encodeGlobals(indices));
  }
}
