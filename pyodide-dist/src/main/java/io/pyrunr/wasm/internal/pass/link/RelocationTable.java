package io.pyrunr.wasm.internal.pass.link;

import static io.pyrunr.wasm.internal.ir.Opcodes.GLOBAL_GET;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_ADD;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_CONST;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_STORE;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_SUB;
import static io.pyrunr.wasm.internal.ir.Opcodes.LOCAL_GET;
import static io.pyrunr.wasm.internal.ir.Opcodes.LOCAL_SET;
import static io.pyrunr.wasm.internal.ir.Opcodes.LOCAL_TEE;

import io.pyrunr.wasm.format.LinkNotes;
import io.pyrunr.wasm.format.LinkNotes.Relocation;
import io.pyrunr.wasm.internal.ir.FuncType;
import io.pyrunr.wasm.internal.ir.Instr;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.IrFunction;
import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.ir.Opcodes;
import io.pyrunr.wasm.internal.pass.FunctionPass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns a side module's {@code __wasm_apply_data_relocs}, a straight line of stores of addresses
 * that runs once, into data: a table that the loader carries out. As code it would be among the
 * module's largest functions. A function that is more than a straight line stays as it is.
 */
public final class RelocationTable implements FunctionPass {
  private static final String NAME = "__wasm_apply_data_relocs";

  private record Sum(int global, int offset) {}

  private final IrModule module;
  private final int function;

  /** Makes the pass; to be applied to functions as they were compiled, before other passes. */
  public RelocationTable(IrModule module) {
    this.module = module;
    this.function = module.exportedFunction(NAME);
  }

  @Override
  public void apply(IrFunction relocations) {
    if (relocations.index() != function) {
      return;
    }
    List<Relocation> table = table(relocations.body().body());
    if (table != null) {
      module.customs().put(LinkNotes.RELOCATIONS, LinkNotes.encode(table));
      relocations.setBody(new Block(Opcodes.BLOCK, FuncType.VOID, List.of()));
    }
  }

  /** The stores of {@code code}, or null if it has anything else. */
  private static List<Relocation> table(List<Instr> code) {
    List<Relocation> table = new ArrayList<>();
    Deque<Sum> stack = new ArrayDeque<>();
    Map<Integer, Sum> locals = new HashMap<>();
    for (Instr instr : code) {
      if (!(instr instanceof Op op)) {
        return null;
      }
      switch (op.opcode()) {
        case GLOBAL_GET -> stack.push(new Sum(op.index(), 0));
        case I32_CONST -> stack.push(new Sum(-1, op.index()));
        case LOCAL_GET -> stack.push(locals.getOrDefault(op.index(), new Sum(-1, 0)));
        case LOCAL_SET -> locals.put(op.index(), stack.pop());
        case LOCAL_TEE -> locals.put(op.index(), stack.peek());
        case I32_ADD -> {
          Sum right = stack.pop();
          Sum left = stack.pop();
          if (left.global >= 0 && right.global >= 0) {
            return null;
          }
          stack.push(new Sum(Math.max(left.global, right.global), left.offset + right.offset));
        }
        case I32_SUB -> {
          Sum right = stack.pop();
          Sum left = stack.pop();
          if (right.global >= 0) {
            return null;
          }
          stack.push(new Sum(left.global, left.offset - right.offset));
        }
        case I32_STORE -> {
          Sum value = stack.pop();
          Sum address = stack.pop();
          table.add(
              new Relocation(
                  address.global, address.offset + (int) op.b, value.global, value.offset));
        }
        default -> {
          return null;
        }
      }
    }
    return table;
  }
}
