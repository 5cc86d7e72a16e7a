package io.pyrunr.wasm.internal.pass.split;

import io.pyrunr.wasm.internal.ir.Instr;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.IrFunction;
import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.ir.Opcodes;
import io.pyrunr.wasm.internal.ir.ValueType;
import io.pyrunr.wasm.internal.pass.stack.StackTypes;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes places where code can be cut: puts the operand stack into locals and back where a long run
 * of instructions never empties it, as in unrolled hash functions.
 */
final class StackCuts {
  private static final int MOST_VALUES = 8;

  private final IrModule module;
  private final IrFunction function;
  private final int distance;

  /** Makes a pass that leaves no run longer than about {@code distance} bytes without a cut. */
  StackCuts(IrModule module, IrFunction function, int distance) {
    this.module = module;
    this.function = function;
    this.distance = distance;
  }

  void apply() {
    apply(function.body());
  }

  private void apply(Block block) {
    for (int i = 0; i < block.bodies.size(); i++) {
      List<Instr> list = block.bodies.get(i);
      for (Instr instr : list) {
        if (instr instanceof Block inner && !inner.atomic) {
          apply(inner);
        }
      }
      if (BytecodeSize.of(list) > 2 * distance) {
        block.bodies.set(i, cut(list, block.type.params()));
      }
    }
  }

  private List<Instr> cut(List<Instr> list, List<ValueType> atStart) {
    List<Instr> out = new ArrayList<>(list.size());
    StackTypes types = new StackTypes(module, function, atStart);
    int sinceCut = 0;
    for (int i = 0; i < list.size(); i++) {
      Instr instr = list.get(i);
      out.add(instr);
      types.step(instr);
      sinceCut += BytecodeSize.of(instr, i + 1 < list.size() ? list.get(i + 1) : null);
      int height = types.values().size();
      if (height == 0) {
        sinceCut = 0;
      } else if (sinceCut > distance && height <= MOST_VALUES && i + 1 < list.size()) {
        List<Integer> locals = types.values().stream().map(function::addLocal).toList();
        for (int value = height - 1; value >= 0; value--) {
          out.add(new Op(Opcodes.LOCAL_SET, locals.get(value)));
        }
        locals.forEach(local -> out.add(new Op(Opcodes.LOCAL_GET, local)));
        sinceCut = 0;
      }
    }
    return out;
  }
}
