package io.pyrunr.wasm.pass;

import static io.pyrunr.wasm.ir.Opcodes.GLOBAL_GET;
import static io.pyrunr.wasm.ir.Opcodes.I32_ADD;
import static io.pyrunr.wasm.ir.Opcodes.I32_CONST;
import static io.pyrunr.wasm.ir.Opcodes.I32_STORE;
import static io.pyrunr.wasm.ir.Opcodes.I32_SUB;
import static io.pyrunr.wasm.ir.Opcodes.LOCAL_GET;
import static io.pyrunr.wasm.ir.Opcodes.LOCAL_SET;
import static io.pyrunr.wasm.ir.Opcodes.LOCAL_TEE;

import io.pyrunr.wasm.ir.FuncType;
import io.pyrunr.wasm.ir.Instr;
import io.pyrunr.wasm.ir.Instr.Block;
import io.pyrunr.wasm.ir.Instr.Op;
import io.pyrunr.wasm.ir.IrFunction;
import io.pyrunr.wasm.ir.IrModule;
import io.pyrunr.wasm.ir.Opcodes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
  /** Name of the custom section that holds the table. */
  public static final String SECTION = "pyrunr.relocations";

  private static final String NAME = "__wasm_apply_data_relocs";

  /**
   * One store of an i32. Each side is the value of a global, -1 for none, plus an offset.
   *
   * @param addressGlobal index of the global the address is relative to
   * @param addressOffset what is added to it
   * @param valueGlobal index of the global the value is relative to
   * @param valueOffset what is added to it
   */
  public record Relocation(
      int addressGlobal, int addressOffset, int valueGlobal, int valueOffset) {}

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
      module.customs().put(SECTION, encode(table));
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

  private static byte[] encode(List<Relocation> table) {
    ByteBuffer out = ByteBuffer.allocate(16 * table.size()).order(ByteOrder.LITTLE_ENDIAN);
    for (Relocation each : table) {
      out.putInt(each.addressGlobal)
          .putInt(each.addressOffset)
          .putInt(each.valueGlobal)
          .putInt(each.valueOffset);
    }
    return out.array();
  }

  /** Reads the section's content; null gives no relocations. */
  public static List<Relocation> decode(byte[] section) {
    List<Relocation> table = new ArrayList<>();
    if (section != null) {
      ByteBuffer in = ByteBuffer.wrap(section).order(ByteOrder.LITTLE_ENDIAN);
      while (in.hasRemaining()) {
        table.add(new Relocation(in.getInt(), in.getInt(), in.getInt(), in.getInt()));
      }
    }
    return List.copyOf(table);
  }
}
