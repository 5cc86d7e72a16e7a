package io.pyrunr.wasm.internal.pass.split;

import io.pyrunr.wasm.internal.ir.Instr;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.Instr.BranchTable;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.Opcodes;
import java.util.List;

/**
 * Estimates the JVM bytecode that a tree of instructions compiles to, in bytes. The figures are the
 * lengths of what Chicory 1.7.5 emits after our bytecode passes; local variables count two bytes
 * each, as if there were fewer than 256. The build checks the real sizes afterwards.
 */
final class BytecodeSize {
  private static final int LOCAL = 2;
  private static final int JUMP = 3;
  private static final int INVOKE = 3;
  private static final int CALL = 2 * LOCAL + INVOKE; // memory, instance, call
  private static final int TRY = 24; // tag test and payload per clause

  private BytecodeSize() {}

  static int of(List<Instr> list) {
    int size = 0;
    for (int i = 0; i < list.size(); i++) {
      size += of(list.get(i), i + 1 < list.size() ? list.get(i + 1) : null);
    }
    return size;
  }

  /** Size of one instruction and what is in it; {@code next} decides whether a test is fused. */
  static int of(Instr instr, Instr next) {
    if (instr instanceof Block block) {
      int size =
          switch (block.opcode()) {
            case Opcodes.IF -> block.bodies.size() * JUMP;
            case Opcodes.TRY_TABLE -> TRY * block.catches.size();
            default -> 0;
          };
      for (List<Instr> body : block.bodies) {
        size += of(body);
      }
      return size;
    }
    if (instr instanceof BranchTable table) {
      return switchSize(table);
    }
    if (instr instanceof Op op) {
      return of(op, next);
    }
    return instr.opcode() == Opcodes.BR_IF ? 2 * JUMP : JUMP + 1;
  }

  /** A table of few entries besides the default is compiled as a list of keys. */
  private static int switchSize(BranchTable table) {
    int last = table.targets.size() - 1;
    int keys = 0;
    for (int i = 0; i < last; i++) {
      keys += table.targets.get(i) == table.targets.get(last) ? 0 : 1;
    }
    return 12 + Math.min(4 * last, 8 * keys);
  }

  private static int of(Op op, Instr next) {
    int opcode = op.opcode();
    if (opcode >= Opcodes.I32_LOAD && opcode <= Opcodes.I64_STORE32) {
      return constant(op.b) + LOCAL + INVOKE + narrowing(opcode);
    }
    return switch (opcode) {
      case Opcodes.LOCAL_GET, Opcodes.LOCAL_SET -> LOCAL;
      case Opcodes.LOCAL_TEE -> LOCAL + 1;
      case Opcodes.GLOBAL_GET -> LOCAL + 3;
      case Opcodes.GLOBAL_SET -> LOCAL + 4;
      case Opcodes.I32_CONST -> constant(op.index());
      case Opcodes.I64_CONST, Opcodes.F32_CONST, Opcodes.F64_CONST -> op.a == 0 ? 1 : 3;
      case Opcodes.CALL -> CALL;
      case Opcodes.CALL_INDIRECT -> 1 + 2 * LOCAL + INVOKE;
      case Opcodes.THROW -> 20;
      case Opcodes.UNREACHABLE -> 4;
      case Opcodes.RETURN, Opcodes.DROP -> 1;
      case Opcodes.SELECT, Opcodes.SELECT_TYPED -> JUMP + 3;
      case Opcodes.MEMORY_SIZE, Opcodes.MEMORY_GROW, Opcodes.MEMORY_COPY, Opcodes.MEMORY_FILL ->
          LOCAL + INVOKE;
      default -> numeric(opcode, next);
    };
  }

  private static int constant(long value) {
    if (value >= -1 && value <= 5) {
      return 1;
    }
    return value >= Byte.MIN_VALUE && value <= Byte.MAX_VALUE ? 2 : 3;
  }

  private static int narrowing(int opcode) {
    return switch (opcode) {
      case 0x2d, 0x2f -> 4; // i32.load8_u, load16_u: mask
      case 0x30, 0x32, 0x34 -> 1; // i64.load*_s: widen
      case 0x31, 0x33, 0x35 -> 5; // i64.load*_u
      case 0x3a, 0x3b, 0x3e -> 1; // i32.store8, store16, i64.store32
      case 0x3c, 0x3d -> 2;
      default -> 0;
    };
  }

  private static int numeric(int opcode, Instr next) {
    if (isSignedComparison(opcode)) {
      boolean fused =
          next != null && (next.opcode() == Opcodes.BR_IF || next.opcode() == Opcodes.IF);
      return fused ? 0 : INVOKE;
    }
    return switch (opcode) {
      case 0x6a, 0x6b, 0x6c, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76 -> 1; // i32 arithmetic
      case 0x7c, 0x7d, 0x7e, 0x83, 0x84, 0x85 -> 1; // i64 arithmetic
      case 0x86, 0x87, 0x88 -> 2; // i64 shifts
      case 0x92, 0x93, 0x94, 0xa0, 0xa1, 0xa2, 0xa3 -> 1; // floating point
      case 0xa7, 0xac, 0xb6, 0xbb -> 1; // wrap, extend_s, demote, promote
      default -> INVOKE;
    };
  }

  private static boolean isSignedComparison(int opcode) {
    return switch (opcode) {
      case 0x45, 0x46, 0x47, 0x48, 0x4a, 0x4c, 0x4e -> true;
      default -> false;
    };
  }
}
