package io.pyrunr.wasm.pass;

import io.pyrunr.wasm.ir.Instr.Op;
import io.pyrunr.wasm.ir.IrFunction;
import io.pyrunr.wasm.ir.IrModule;
import io.pyrunr.wasm.ir.Opcodes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Finds the globals of its own that a module sets while it runs, as opposed to those that only its
 * start function sets, to addresses: the former are state, to be restored between jobs.
 */
public final class ChangingGlobals implements FunctionPass {
  /** Name of the custom section that lists their indices. */
  public static final String SECTION = "pyrunr.globals";

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

  /** Writes the section. */
  public void finish() {
    ByteBuffer out = ByteBuffer.allocate(4 * indices.size()).order(ByteOrder.LITTLE_ENDIAN);
    indices.forEach(out::putInt);
    module.customs().put(SECTION, out.array());
  }

  /** Reads the section's content; null is an empty one. */
  public static List<Integer> decode(byte[] section) {
    List<Integer> indices = new ArrayList<>();
    if (section != null) {
      ByteBuffer in = ByteBuffer.wrap(section).order(ByteOrder.LITTLE_ENDIAN);
      while (in.hasRemaining()) {
        indices.add(in.getInt());
      }
    }
    return List.copyOf(indices);
  }
}
