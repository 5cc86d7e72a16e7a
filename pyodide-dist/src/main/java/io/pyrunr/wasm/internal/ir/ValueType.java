package io.pyrunr.wasm.internal.ir;

import io.pyrunr.wasm.format.WasmFormatException;

/** A wasm value type with its binary code. */
public enum ValueType {
  I32(0x7f),
  I64(0x7e),
  F32(0x7d),
  F64(0x7c),
  V128(0x7b),
  FUNCREF(0x70),
  EXTERNREF(0x6f),
  EXNREF(0x69);

  private final int code;

  ValueType(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }

  /**
   * The type with this binary code.
   *
   * @throws WasmFormatException for a code that is none of these
   */
  public static ValueType of(int code) {
    for (ValueType type : values()) {
      if (type.code == code) {
        return type;
      }
    }
    throw new WasmFormatException("unknown value type 0x" + Integer.toHexString(code));
  }
}
