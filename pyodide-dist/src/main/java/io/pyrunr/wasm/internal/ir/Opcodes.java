package io.pyrunr.wasm.internal.ir;

/**
 * Binary codes of the instructions that passes name. Prefixed ones are {@code 0xfc00 | sub-opcode}.
 * Source: the WebAssembly core specification 3.0, chapter 5.4; 0x06, 0x07, 0x09, 0x18 and 0x19 are
 * the legacy exception-handling proposal's.
 */
public final class Opcodes {
  public static final int UNREACHABLE = 0x00;
  public static final int NOP = 0x01;
  public static final int BLOCK = 0x02;
  public static final int LOOP = 0x03;
  public static final int IF = 0x04;
  public static final int ELSE = 0x05;
  public static final int TRY = 0x06;
  public static final int CATCH = 0x07;
  public static final int THROW = 0x08;
  public static final int RETHROW = 0x09;
  public static final int THROW_REF = 0x0a;
  public static final int END = 0x0b;
  public static final int BR = 0x0c;
  public static final int BR_IF = 0x0d;
  public static final int BR_TABLE = 0x0e;
  public static final int RETURN = 0x0f;
  public static final int CALL = 0x10;
  public static final int CALL_INDIRECT = 0x11;
  public static final int DELEGATE = 0x18;
  public static final int CATCH_ALL = 0x19;
  public static final int DROP = 0x1a;
  public static final int SELECT = 0x1b;
  public static final int SELECT_TYPED = 0x1c;
  public static final int TRY_TABLE = 0x1f;
  public static final int LOCAL_GET = 0x20;
  public static final int LOCAL_SET = 0x21;
  public static final int LOCAL_TEE = 0x22;
  public static final int GLOBAL_GET = 0x23;
  public static final int GLOBAL_SET = 0x24;
  public static final int TABLE_GET = 0x25;
  public static final int TABLE_SET = 0x26;
  public static final int I32_LOAD = 0x28;
  public static final int I32_STORE = 0x36;
  public static final int I64_STORE32 = 0x3e;
  public static final int MEMORY_SIZE = 0x3f;
  public static final int MEMORY_GROW = 0x40;
  public static final int I32_CONST = 0x41;
  public static final int I64_CONST = 0x42;
  public static final int F32_CONST = 0x43;
  public static final int F64_CONST = 0x44;
  public static final int I32_EQZ = 0x45;
  public static final int I32_EQ = 0x46;
  public static final int I32_ADD = 0x6a;
  public static final int I32_SUB = 0x6b;
  public static final int I32_AND = 0x71;
  public static final int I64_EXTEND32_S = 0xc4;
  public static final int REF_NULL = 0xd0;
  public static final int REF_IS_NULL = 0xd1;
  public static final int REF_FUNC = 0xd2;
  public static final int PREFIX = 0xfc;
  public static final int MEMORY_INIT = 0xfc08;
  public static final int DATA_DROP = 0xfc09;
  public static final int MEMORY_COPY = 0xfc0a;
  public static final int MEMORY_FILL = 0xfc0b;
  public static final int TABLE_INIT = 0xfc0c;
  public static final int ELEM_DROP = 0xfc0d;
  public static final int TABLE_COPY = 0xfc0e;
  public static final int TABLE_GROW = 0xfc0f;
  public static final int TABLE_SIZE = 0xfc10;
  public static final int TABLE_FILL = 0xfc11;

  private Opcodes() {}

  /** Whether control never reaches the instruction after one with this code. */
  public static boolean endsControl(int opcode) {
    return switch (opcode) {
      case UNREACHABLE, BR, BR_TABLE, RETURN, THROW, RETHROW, THROW_REF -> true;
      default -> false;
    };
  }
}
