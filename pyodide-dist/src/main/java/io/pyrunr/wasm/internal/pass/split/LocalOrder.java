package io.pyrunr.wasm.internal.pass.split;

import static io.pyrunr.wasm.internal.ir.Opcodes.LOCAL_GET;
import static io.pyrunr.wasm.internal.ir.Opcodes.LOCAL_SET;
import static io.pyrunr.wasm.internal.ir.Opcodes.LOCAL_TEE;

import io.pyrunr.wasm.internal.ir.Instr;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.IrFunction;
import io.pyrunr.wasm.internal.ir.ValueType;
import io.pyrunr.wasm.internal.pass.FunctionPass;
import io.pyrunr.wasm.internal.pass.InstrVisitor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Drops locals that nothing names and puts the often named ones first: the JVM's instructions for
 * the first slots are shorter, those behind 255 twice as long.
 */
public final class LocalOrder implements FunctionPass {

  @Override
  public void apply(IrFunction function) {
    int params = function.type().params().size();
    int[] named = new int[function.locals().size()];
    InstrVisitor.forEach(
        function.body().body(),
        instr -> {
          if (isLocal(instr)) {
            named[((Op) instr).index()]++;
          }
        });
    List<Integer> order = new ArrayList<>();
    for (int local = params; local < named.length; local++) {
      if (named[local] > 0) {
        order.add(local);
      }
    }
    order.sort(Comparator.comparingInt(local -> -named[local])); // stable
    int[] newIndex = new int[named.length];
    List<ValueType> types = new ArrayList<>(function.type().params());
    for (int local = 0; local < params; local++) {
      newIndex[local] = local;
    }
    for (int local : order) {
      newIndex[local] = types.size();
      types.add(function.locals().get(local));
    }
    function.locals().clear();
    function.locals().addAll(types);
    rename(function.body(), newIndex);
  }

  private static boolean isLocal(Instr instr) {
    return switch (instr.opcode()) {
      case LOCAL_GET, LOCAL_SET, LOCAL_TEE -> true;
      default -> false;
    };
  }

  private static void rename(Block block, int[] newIndex) {
    // Lists of parts made elsewhere may be immutable, so each is replaced.
    block.bodies.replaceAll(
        list -> {
          List<Instr> out = new ArrayList<>(list.size());
          for (Instr instr : list) {
            if (isLocal(instr)) {
              out.add(new Op(instr.opcode(), newIndex[((Op) instr).index()]));
            } else {
              if (instr instanceof Block inner) {
                rename(inner, newIndex);
              }
              out.add(instr);
            }
          }
          return out;
        });
  }
}
