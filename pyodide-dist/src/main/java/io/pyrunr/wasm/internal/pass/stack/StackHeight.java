package io.pyrunr.wasm.internal.pass.stack;

import io.pyrunr.wasm.internal.ir.FuncType;
import io.pyrunr.wasm.internal.ir.Instr;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.ir.Opcodes;
import java.util.List;

/** How many values instructions take from the operand stack and leave on it. */
public final class StackHeight {
  private final IrModule module;

  public StackHeight(IrModule module) {
    this.module = module;
  }

  /**
   * Whether the stack holds nothing of this list before each of its instructions, and after the
   * last: {@code list.size() + 1} answers. After an instruction that ends control the answer is
   * yes.
   */
  public boolean[] isEmpty(List<Instr> list, int heightAtStart) {
    boolean[] empty = new boolean[list.size() + 1];
    int height = heightAtStart;
    empty[0] = height == 0;
    for (int i = 0; i < list.size(); i++) {
      Instr instr = list.get(i);
      height = instr.endsControl() ? 0 : height + change(instr);
      empty[i + 1] = height == 0;
    }
    return empty;
  }

  private int change(Instr instr) {
    if (instr instanceof Block block) {
      return block.type.results().size()
          - block.type.params().size()
          - (block.opcode() == Opcodes.IF ? 1 : 0);
    }
    if (!(instr instanceof Op op)) {
      return -1; // br_if
    }
    int opcode = op.opcode();
    return switch (opcode) {
      case Opcodes.CALL -> change(module.functionType(op.index()));
      case Opcodes.CALL_INDIRECT -> change(module.type(op.index())) - 1;
      case Opcodes.DROP, Opcodes.LOCAL_SET, Opcodes.GLOBAL_SET, Opcodes.TABLE_GROW -> -1;
      case Opcodes.SELECT, Opcodes.SELECT_TYPED, Opcodes.TABLE_SET -> -2;
      case Opcodes.LOCAL_GET,
          Opcodes.GLOBAL_GET,
          Opcodes.MEMORY_SIZE,
          Opcodes.TABLE_SIZE,
          Opcodes.I32_CONST,
          Opcodes.I64_CONST,
          Opcodes.F32_CONST,
          Opcodes.F64_CONST,
          Opcodes.REF_NULL,
          Opcodes.REF_FUNC ->
          1;
      case Opcodes.LOCAL_TEE,
          Opcodes.TABLE_GET,
          Opcodes.MEMORY_GROW,
          Opcodes.REF_IS_NULL,
          Opcodes.DATA_DROP,
          Opcodes.ELEM_DROP ->
          0;
      case Opcodes.MEMORY_INIT,
          Opcodes.MEMORY_COPY,
          Opcodes.MEMORY_FILL,
          Opcodes.TABLE_INIT,
          Opcodes.TABLE_COPY,
          Opcodes.TABLE_FILL ->
          -3;
      default -> numericChange(opcode);
    };
  }

  private static int change(FuncType type) {
    return type.results().size() - type.params().size();
  }

  /** Loads and unary operations replace their operand; stores take two, binary operations one. */
  static int numericChange(int opcode) {
    if (opcode > 0xff || opcode <= 0x35) {
      return 0;
    }
    if (opcode <= Opcodes.I64_STORE32) {
      return -2;
    }
    boolean unary =
        opcode == 0x45
            || opcode == 0x50
            || (opcode >= 0x67 && opcode <= 0x69)
            || (opcode >= 0x79 && opcode <= 0x7b)
            || (opcode >= 0x8b && opcode <= 0x91)
            || (opcode >= 0x99 && opcode <= 0x9f)
            || opcode >= 0xa7;
    return unary ? 0 : -1;
  }
}
