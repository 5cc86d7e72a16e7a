package io.pyrunr.executor.internal.emscripten;

import com.dylibso.chicory.runtime.WasmRuntimeException;
import io.pyrunr.wasm.runtime.LinearMemory;
import io.pyrunr.wasm.runtime.StopSignal;

/**
 * {@code ffi_call}, which ctypes makes its calls with: reads the arguments as libffi's call
 * interface describes them and calls the table's function. The rules are those of libffi's wasm32
 * port ({@code src/wasm32/ffi.c}). Callbacks ({@code ffi_closure}) are not supported.
 */
final class ForeignCalls {
  private static final int INT = 1;
  private static final int FLOAT = 2;
  private static final int DOUBLE = 3;
  private static final int LONG_DOUBLE = 4;
  private static final int UINT8 = 5;
  private static final int SINT8 = 6;
  private static final int UINT16 = 7;
  private static final int SINT16 = 8;
  private static final int UINT32 = 9;
  private static final int SINT32 = 10;
  private static final int UINT64 = 11;
  private static final int SINT64 = 12;
  private static final int STRUCT = 13;
  private static final int POINTER = 14;
  private static final int VOID = 0;

  /** As ctypes allows. */
  private static final int MOST_ARGUMENTS = 1024;

  // struct ffi_cif
  private static final int CIF_ARGUMENTS = 4;
  private static final int CIF_ARGUMENT_TYPES = 8;
  private static final int CIF_RETURN_TYPE = 12;
  private static final int CIF_FIXED_ARGUMENTS = 24;

  private final LinearMemory memory;
  private final GuestExports exports;

  ForeignCalls(LinearMemory memory, GuestExports exports) {
    this.memory = memory;
    this.exports = exports;
  }

  void register(ImportTable table) {
    table.action("ffi_call_js", a -> new Call((int) a[0], (int) a[3]).run((int) a[1], (int) a[2]));
  }

  /** A structure of one member is passed as that member. */
  private int unboxed(int type) {
    int each = type;
    while (kind(each) == STRUCT) {
      StopSignal.poll(); // a structure that was made to contain itself has no end
      int members = memory.readInt(each + 8);
      int first = memory.readInt(members);
      if (first == 0 || memory.readInt(members + 4) != 0) {
        break;
      }
      each = first;
    }
    return each;
  }

  private int kind(int type) {
    return memory.readShort(type + 6) & 0xffff;
  }

  /** An empty structure takes no room and gives nothing. */
  private int returnKind(int type) {
    int kind = kind(type);
    return kind == STRUCT && memory.readInt(memory.readInt(type + 8)) == 0 ? VOID : kind;
  }

  /** One call: its arguments so far, and the C stack below which copies are put. */
  private final class Call {
    private final int cif;
    private final int values;
    private final int stack = (int) exports.call("emscripten_stack_get_current");
    private int top = stack;
    private final long[] arguments;
    private int count;

    Call(int cif, int values) {
      this.cif = cif;
      this.values = values;
      int fixed = memory.readInt(cif + CIF_FIXED_ARGUMENTS);
      if (fixed < 0 || fixed > 1024) {
        throw new IllegalArgumentException(
            "ffi_call: a call interface with " + fixed + " arguments");
      }
      arguments = new long[2 * fixed + 2];
    }

    void run(int function, int result) {
      int fixed = memory.readInt(cif + CIF_FIXED_ARGUMENTS);
      int all = memory.readInt(cif + CIF_ARGUMENTS);
      int kind = returnKind(unboxed(memory.readInt(cif + CIF_RETURN_TYPE)));
      boolean byAddress = kind == LONG_DOUBLE || kind == STRUCT;
      if (byAddress) {
        push(result);
      }
      for (int i = 0; i < fixed; i++) {
        pass(type(i), memory.readInt(values + 4 * i));
      }
      if (all != fixed) {
        passRest(fixed, all);
      }
      exports.call("_emscripten_stack_restore", top & -16);
      long value;
      try {
        value = exports.callTable(function, java.util.Arrays.copyOf(arguments, count));
      } finally {
        exports.call("_emscripten_stack_restore", stack);
      }
      if (!byAddress) {
        store(kind, result, value);
      }
    }

    private int type(int argument) {
      return unboxed(memory.readInt(memory.readInt(cif + CIF_ARGUMENT_TYPES) + 4 * argument));
    }

    private void push(long value) {
      arguments[count++] = value;
    }

    private int reserve(int size, int alignment) {
      top = (top - size) & -Math.max(1, alignment);
      return top;
    }

    private void pass(int type, int at) {
      switch (kind(type)) {
        case INT, UINT32, SINT32, POINTER, FLOAT -> push(memory.readInt(at));
        case DOUBLE, UINT64, SINT64 -> push(memory.readLong(at));
        case UINT8 -> push(memory.read(at) & 0xff);
        case SINT8 -> push(memory.read(at));
        case UINT16 -> push(memory.readShort(at) & 0xffff);
        case SINT16 -> push(memory.readShort(at));
        case LONG_DOUBLE -> {
          push(memory.readLong(at));
          push(memory.readLong(at + 8));
        }
        case STRUCT -> push(copy(type, at));
        default -> throw unsupported(kind(type));
      }
    }

    private int copy(int type, int at) {
      int size = memory.readInt(type);
      int target = reserve(size, memory.readShort(type + 4) & 0xffff);
      memory.copy(target, at, size);
      return target;
    }

    /** What a variadic function takes through {@code va_list}, the first one lowest. */
    private void passRest(int fixed, int all) {
      if (all < fixed || all > MOST_ARGUMENTS) {
        throw new WasmRuntimeException("ffi_call: " + all + " arguments");
      }
      int[] slots = new int[all - fixed];
      for (int i = all - 1; i >= fixed; i--) {
        int at = memory.readInt(values + 4 * i);
        int kind = kind(type(i));
        int size =
            switch (kind) {
              case UINT8, SINT8 -> 1;
              case UINT16, SINT16 -> 2;
              case INT, UINT32, SINT32, POINTER, FLOAT, STRUCT -> 4;
              case DOUBLE, UINT64, SINT64 -> 8;
              case LONG_DOUBLE -> 16;
              default -> throw unsupported(kind);
            };
        slots[i - fixed] = reserve(size, Math.min(size, 8));
        if (kind != STRUCT) {
          memory.copy(slots[i - fixed], at, size);
        }
      }
      push(top);
      for (int i = fixed; i < all; i++) {
        if (kind(type(i)) == STRUCT) {
          memory.writeI32(slots[i - fixed], copy(type(i), memory.readInt(values + 4 * i)));
        }
      }
    }

    private void store(int kind, int at, long value) {
      switch (kind) {
        case VOID -> {}
        case INT, UINT32, SINT32, POINTER, FLOAT -> memory.writeI32(at, (int) value);
        case DOUBLE, UINT64, SINT64 -> memory.writeLong(at, value);
        case UINT8, SINT8 -> memory.writeByte(at, (byte) value);
        case UINT16, SINT16 -> memory.writeShort(at, (short) value);
        default -> throw unsupported(kind);
      }
    }
  }

  private static UnsupportedOperationException unsupported(int kind) {
    return new UnsupportedOperationException("ffi_call: argument or result of libffi type " + kind);
  }
}
