package io.pyrunr.wasm.internal.pass.stack;

import io.pyrunr.wasm.format.WasmFormatException;
import io.pyrunr.wasm.internal.ir.FuncType;
import io.pyrunr.wasm.internal.ir.Instr;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.IrFunction;
import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.ir.Opcodes;
import io.pyrunr.wasm.internal.ir.ValueType;
import java.util.ArrayList;
import java.util.List;

/** The types of the values on the operand stack while a list of instructions is walked. */
public final class StackTypes {
  private final IrModule module;
  private final IrFunction function;
  private final List<ValueType> stack = new ArrayList<>();

  public StackTypes(IrModule module, IrFunction function, List<ValueType> atStart) {
    this.module = module;
    this.function = function;
    stack.addAll(atStart);
  }

  /** The values, the topmost last. */
  public List<ValueType> values() {
    return stack;
  }

  /** Goes on behind {@code instr}. Nothing is known behind one that ends control. */
  public void step(Instr instr) {
    if (instr.endsControl()) {
      stack.clear();
      return;
    }
    if (instr instanceof Block block) {
      if (block.opcode() == Opcodes.IF) {
        pop(1);
      }
      apply(block.type);
      return;
    }
    if (!(instr instanceof Op op)) {
      pop(1); // br_if: its operands stay
      return;
    }
    int opcode = op.opcode();
    switch (opcode) {
      case Opcodes.CALL -> apply(module.functionType(op.index()));
      case Opcodes.CALL_INDIRECT -> {
        pop(1);
        apply(module.type(op.index()));
      }
      case Opcodes.LOCAL_GET -> stack.add(function.locals().get(op.index()));
      case Opcodes.GLOBAL_GET -> stack.add(module.globalType(op.index()));
      case Opcodes.DROP, Opcodes.LOCAL_SET, Opcodes.GLOBAL_SET -> pop(1);
      case Opcodes.SELECT, Opcodes.SELECT_TYPED -> pop(2);
      case Opcodes.LOCAL_TEE, Opcodes.DATA_DROP, Opcodes.ELEM_DROP -> {}
      case Opcodes.MEMORY_INIT,
          Opcodes.MEMORY_COPY,
          Opcodes.MEMORY_FILL,
          Opcodes.TABLE_INIT,
          Opcodes.TABLE_COPY,
          Opcodes.TABLE_FILL ->
          pop(3);
      case Opcodes.TABLE_SET -> pop(2);
      case Opcodes.TABLE_GET -> {
        pop(1);
        stack.add(module.tableType(op.index()));
      }
      case Opcodes.TABLE_GROW -> {
        pop(2);
        stack.add(ValueType.I32);
      }
      case Opcodes.REF_NULL -> stack.add(ValueType.of(op.index()));
      case Opcodes.REF_FUNC -> stack.add(ValueType.FUNCREF);
      case Opcodes.REF_IS_NULL -> {
        pop(1);
        stack.add(ValueType.I32);
      }
      case Opcodes.I64_CONST -> stack.add(ValueType.I64);
      case Opcodes.F32_CONST -> stack.add(ValueType.F32);
      case Opcodes.F64_CONST -> stack.add(ValueType.F64);
      case Opcodes.I32_CONST, Opcodes.MEMORY_SIZE, Opcodes.TABLE_SIZE -> stack.add(ValueType.I32);
      case Opcodes.MEMORY_GROW -> {}
      default -> numeric(opcode);
    }
  }

  private void numeric(int opcode) {
    if (opcode >= 0x36 && opcode <= Opcodes.I64_STORE32) {
      pop(2);
      return;
    }
    int change = StackHeight.numericChange(opcode);
    pop(1 - change);
    stack.add(result(opcode));
  }

  private static ValueType result(int opcode) {
    if (opcode >= 0xfc00 && opcode <= 0xfc07) {
      return opcode <= 0xfc03 ? ValueType.I32 : ValueType.I64;
    }
    if (opcode < Opcodes.I32_LOAD || opcode > Opcodes.I64_EXTEND32_S) {
      throw new WasmFormatException("no type for 0x" + Integer.toHexString(opcode));
    }
    return switch (opcode) {
      case 0x28, 0x2c, 0x2d, 0x2e, 0x2f, 0xbc, 0xc0, 0xc1 -> ValueType.I32;
      case 0x29, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0xbd, 0xc2, 0xc3, 0xc4 -> ValueType.I64;
      case 0x2a, 0xbe -> ValueType.F32;
      case 0x2b, 0xbf -> ValueType.F64;
      default -> {
        if (opcode <= 0x78 || (opcode >= 0xa7 && opcode <= 0xab)) {
          yield ValueType.I32;
        }
        if (opcode <= 0x8a || (opcode >= 0xac && opcode <= 0xb1)) {
          yield ValueType.I64;
        }
        yield opcode <= 0x98 || (opcode >= 0xb2 && opcode <= 0xb6) ? ValueType.F32 : ValueType.F64;
      }
    };
  }

  private void apply(FuncType type) {
    pop(type.params().size());
    stack.addAll(type.results());
  }

  private void pop(int count) {
    for (int i = 0; i < count; i++) {
      stack.remove(stack.size() - 1);
    }
  }
}
