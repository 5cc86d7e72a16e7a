package io.pyrunr.wasm.pass;

import io.pyrunr.wasm.ir.IrModule;
import java.util.List;
import java.util.Map;

/**
 * The hot cases of CPython's evaluation loop: the opcodes that make up most of what Python programs
 * execute and are small. An opcode that is listed in vain costs nothing but its place in the
 * budget. Source of the numbers: CPython 3.13, {@code Include/opcode_ids.h}.
 */
public final class EvalLoop {
  private static final String FUNCTION = "_PyEval_EvalFrameDefault";

  /** The table's index is the opcode less one: {@code CACHE}, 0, is never executed. */
  private static final int FIRST_OPCODE = 1;

  private static final List<Integer> HOT_3_13 =
      List.of(
          85, // LOAD_FAST
          88, // LOAD_FAST_LOAD_FAST
          110, // STORE_FAST
          83, // LOAD_CONST
          189, // FOR_ITER_RANGE
          77, // JUMP_BACKWARD
          183, // COMPARE_OP_INT
          97, // POP_JUMP_IF_FALSE
          151, // BINARY_OP_ADD_INT
          156, // BINARY_OP_SUBTRACT_INT
          45, // BINARY_OP
          32, // POP_TOP
          34, // PUSH_NULL
          204, // LOAD_GLOBAL_MODULE
          203, // LOAD_GLOBAL_BUILTIN
          193, // LOAD_ATTR_INSTANCE_VALUE
          100, // POP_JUMP_IF_TRUE
          112, // STORE_FAST_STORE_FAST
          111, // STORE_FAST_LOAD_FAST
          207, // RESUME_CHECK
          36, // RETURN_VALUE
          159, // BINARY_SUBSCR_LIST_INT
          61, // COPY
          115, // SWAP
          150, // BINARY_OP_ADD_FLOAT
          153, // BINARY_OP_MULTIPLY_FLOAT
          155, // BINARY_OP_SUBTRACT_FLOAT
          188, // FOR_ITER_LIST
          201, // LOAD_ATTR_SLOT
          30); // NOP

  private static final int BUDGET = 2_200;

  private EvalLoop() {}

  /** The hot cases of a module with CPython 3.13 in it; none if it has no evaluation loop. */
  public static HotCases hotCases(IrModule module) {
    int function = module.exportedFunction(FUNCTION);
    if (function < 0) {
      return HotCases.NONE;
    }
    List<Integer> indices = HOT_3_13.stream().map(opcode -> opcode - FIRST_OPCODE).toList();
    return new HotCases(Map.of(function, indices), BUDGET);
  }
}
