package io.pyrunr.wasm.internal.pass.split;

import io.pyrunr.wasm.internal.ir.IrModule;
import java.util.List;
import java.util.Map;

/**
 * The hot cases of CPython's evaluation loop: the opcodes that make up most of what Python programs
 * execute and are small. Which number an opcode has differs from release to release, so the numbers
 * are the distribution's; a name that a release does not know, or that is listed in vain, costs
 * nothing but its place in the budget.
 */
public final class EvalLoop {
  private static final String FUNCTION = "_PyEval_EvalFrameDefault";

  /** The table's index is the opcode less one: {@code CACHE}, 0, is never executed. */
  private static final int FIRST_OPCODE = 1;

  /** The most wanted first; CPython 3.14 has new names for some of 3.13's. */
  private static final List<String> HOT =
      List.of(
          "LOAD_FAST",
          "LOAD_FAST_BORROW",
          "LOAD_FAST_LOAD_FAST",
          "LOAD_FAST_BORROW_LOAD_FAST_BORROW",
          "STORE_FAST",
          "LOAD_CONST",
          "LOAD_CONST_IMMORTAL",
          "LOAD_SMALL_INT",
          "FOR_ITER_RANGE",
          "JUMP_BACKWARD",
          "JUMP_BACKWARD_NO_JIT",
          "COMPARE_OP_INT",
          "POP_JUMP_IF_FALSE",
          "NOT_TAKEN",
          "BINARY_OP_ADD_INT",
          "BINARY_OP_SUBTRACT_INT",
          "BINARY_OP",
          "POP_TOP",
          "PUSH_NULL",
          "LOAD_GLOBAL_MODULE",
          "LOAD_GLOBAL_BUILTIN",
          "LOAD_ATTR_INSTANCE_VALUE",
          "POP_JUMP_IF_TRUE",
          "STORE_FAST_STORE_FAST",
          "STORE_FAST_LOAD_FAST",
          "RESUME_CHECK",
          "RETURN_VALUE",
          "BINARY_SUBSCR_LIST_INT",
          "BINARY_OP_SUBSCR_LIST_INT",
          "COPY",
          "SWAP",
          "BINARY_OP_ADD_FLOAT",
          "BINARY_OP_MULTIPLY_FLOAT",
          "BINARY_OP_SUBTRACT_FLOAT",
          "FOR_ITER_LIST",
          "LOAD_ATTR_SLOT",
          "NOP");

  private static final int BUDGET = 2_200;

  private EvalLoop() {}

  /**
   * The hot cases of a module; none if it has no evaluation loop.
   *
   * @param opcodes numbers by name, of the CPython in it
   */
  public static HotCases hotCases(IrModule module, Map<String, Integer> opcodes) {
    int function = module.exportedFunction(FUNCTION);
    if (function < 0) {
      return HotCases.NONE;
    }
    List<Integer> indices =
        HOT.stream()
            .filter(opcodes::containsKey)
            .map(name -> opcodes.get(name) - FIRST_OPCODE)
            .toList();
    return new HotCases(Map.of(function, indices), BUDGET);
  }
}
