package io.pyrunr.executor.internal.emscripten;

import io.pyrunr.wasm.runtime.LinearMemory;

/** What the host puts on the C stack for the time of one call through the table. */
final class StackFrame {
  private final LinearMemory memory;
  private final GuestExports exports;
  private final int before;
  private int top;

  StackFrame(LinearMemory memory, GuestExports exports) {
    this.memory = memory;
    this.exports = exports;
    before = (int) exports.call("emscripten_stack_get_current");
    top = before;
  }

  /** Lowest address used so far; the stack grows downwards. */
  int top() {
    return top;
  }

  int reserve(int size, int alignment) {
    top = (top - size) & -Math.max(1, alignment);
    return top;
  }

  /** Copies a structure, which C passes by its address. */
  int copy(ForeignTypes.Type type, int at) {
    int target = reserve(type.size(), type.alignment());
    memory.copy(target, at, type.size());
    return target;
  }

  /** Calls a function, below what was reserved, and gives the frame up. */
  long call(int function, long... arguments) {
    exports.call("_emscripten_stack_restore", top & -16);
    try {
      return exports.callTable(function, arguments);
    } finally {
      exports.call("_emscripten_stack_restore", before);
    }
  }
}
