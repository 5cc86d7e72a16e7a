package io.pyrunr.wasm.internal.pass.lower;

import io.pyrunr.wasm.internal.ir.Instr;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.IrFunction;
import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.ir.Opcodes;
import io.pyrunr.wasm.internal.ir.ValueType;
import io.pyrunr.wasm.internal.pass.FunctionPass;
import io.pyrunr.wasm.internal.pass.InstrVisitor;
import io.pyrunr.wasm.internal.pass.stack.StackTypes;
import java.util.ArrayList;
import java.util.List;

/**
 * Sees to it that the operand stack is empty wherever a {@code try_table} or a {@code loop} begins:
 * what lies on it waits in locals until the outermost block around it is done.
 *
 * <p>The JVM empties the stack when it catches an exception. Chicory 1.7.5's compiler saves and
 * restores it, but puts a saved value in the slot that holds the exception where a function needs
 * no other temporary, and jumps to a handler without dropping what the handler's block did not have
 * below it. Either gives a class that does not verify.
 *
 * <p>As for loops, HotSpot goes from interpreted to compiled code at a loop's head only if the
 * stack is empty there; a long loop would be interpreted to its end.
 */
public final class EmptyStacks implements FunctionPass {
  private final IrModule module;

  /** To be applied after {@link LegacyExceptions}. */
  public EmptyStacks(IrModule module) {
    this.module = module;
  }

  @Override
  public void apply(IrFunction function) {
    if (wantsEmptyStack(function.body())) {
      rewrite(function, function.body());
    }
  }

  private static boolean wantsEmptyStack(Instr instr) {
    boolean[] found = new boolean[1];
    InstrVisitor.forEach(
        List.of(instr),
        each -> found[0] |= each.opcode() == Opcodes.TRY_TABLE || each.opcode() == Opcodes.LOOP);
    return found[0];
  }

  private void rewrite(IrFunction function, Block block) {
    block.bodies.replaceAll(list -> rewrite(function, list, block.type.params()));
  }

  private List<Instr> rewrite(IrFunction function, List<Instr> list, List<ValueType> atStart) {
    List<Instr> out = new ArrayList<>(list.size());
    StackTypes types = new StackTypes(module, function, atStart);
    for (Instr instr : list) {
      if (instr instanceof Block block && wantsEmptyStack(block)) {
        rewrite(function, block);
        int operands = block.type.params().size() + (block.opcode() == Opcodes.IF ? 1 : 0);
        List<ValueType> all = types.values();
        List<ValueType> below = List.copyOf(all.subList(0, all.size() - operands));
        if (!below.isEmpty()) {
          List<Integer> waiting = store(function, all, out);
          load(waiting.subList(below.size(), waiting.size()), out);
          out.add(block);
          List<Integer> made = store(function, block.type.results(), out);
          load(waiting.subList(0, below.size()), out);
          load(made, out);
          types.step(block);
          continue;
        }
      }
      out.add(instr);
      types.step(instr);
    }
    return out;
  }

  /** Moves the topmost values, of these types, to new locals. */
  private static List<Integer> store(IrFunction function, List<ValueType> types, List<Instr> out) {
    List<Integer> locals = types.stream().map(function::addLocal).toList();
    for (int i = locals.size() - 1; i >= 0; i--) {
      out.add(new Op(Opcodes.LOCAL_SET, locals.get(i)));
    }
    return locals;
  }

  private static void load(List<Integer> locals, List<Instr> out) {
    locals.forEach(local -> out.add(new Op(Opcodes.LOCAL_GET, local)));
  }
}
