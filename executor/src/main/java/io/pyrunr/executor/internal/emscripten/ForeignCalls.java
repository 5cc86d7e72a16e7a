package io.pyrunr.executor.internal.emscripten;

import io.pyrunr.executor.internal.emscripten.ForeignTypes.Kind;
import io.pyrunr.executor.internal.emscripten.ForeignTypes.Type;
import io.pyrunr.wasm.runtime.LinearMemory;
import java.util.Arrays;

/**
 * {@code ffi_call}, which ctypes makes its calls with: reads the arguments as libffi's call
 * interface describes them and calls the table's function. The rules are those of libffi's wasm32
 * port ({@code src/wasm32/ffi.c}).
 */
final class ForeignCalls {
  private final LinearMemory memory;
  private final GuestExports exports;
  private final ForeignTypes types;

  ForeignCalls(LinearMemory memory, GuestExports exports) {
    this.memory = memory;
    this.exports = exports;
    this.types = new ForeignTypes(memory);
  }

  void register(ImportTable table) {
    table.action("ffi_call_js", a -> new Call((int) a[0], (int) a[3]).run((int) a[1], (int) a[2]));
  }

  /** One call: its arguments so far, and the C stack below which copies are put. */
  private final class Call {
    private final int cif;
    private final int values;
    private final StackFrame frame = new StackFrame(memory, exports);
    private final long[] arguments;
    private int count;

    Call(int cif, int values) {
      this.cif = cif;
      this.values = values;
      arguments = new long[2 * types.fixed(cif) + 2];
    }

    void run(int function, int result) {
      int fixed = types.fixed(cif);
      int all = types.all(cif);
      Kind kind = types.result(cif);
      if (kind.isByAddress()) {
        push(result);
      }
      for (int i = 0; i < fixed; i++) {
        pass(types.argument(cif, i), value(i));
      }
      if (all != fixed) {
        passRest(fixed, all);
      }
      long value = frame.call(function, Arrays.copyOf(arguments, count));
      if (!kind.isByAddress()) {
        types.store(kind, result, value);
      }
    }

    /** Where an argument's value is. */
    private int value(int argument) {
      return memory.readInt(values + 4 * argument);
    }

    private void push(long value) {
      arguments[count++] = value;
    }

    private void pass(Type type, int at) {
      switch (type.kind()) {
        case VOID -> throw new UnsupportedOperationException("ffi_call: an argument without type");
        case LONG_DOUBLE -> {
          push(memory.readLong(at));
          push(memory.readLong(at + 8));
        }
        case STRUCT -> push(frame.copy(type, at));
        default -> push(types.load(type.kind(), at));
      }
    }

    /** What a variadic function takes through {@code va_list}, the first one lowest. */
    private void passRest(int fixed, int all) {
      int[] slots = new int[all - fixed];
      for (int i = all - 1; i >= fixed; i--) {
        Kind kind = types.argument(cif, i).kind();
        slots[i - fixed] = frame.reserve(kind.size(), Math.min(kind.size(), 8));
        if (kind != Kind.STRUCT) {
          memory.copy(slots[i - fixed], value(i), kind.size());
        }
      }
      push(frame.top());
      for (int i = fixed; i < all; i++) {
        Type type = types.argument(cif, i);
        if (type.kind() == Kind.STRUCT) {
          memory.writeI32(slots[i - fixed], frame.copy(type, value(i)));
        }
      }
    }
  }
}
