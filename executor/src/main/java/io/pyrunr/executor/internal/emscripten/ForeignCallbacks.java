package io.pyrunr.executor.internal.emscripten;

import io.pyrunr.executor.internal.emscripten.ForeignTypes.Kind;
import io.pyrunr.wasm.runtime.FunctionTable;
import io.pyrunr.wasm.runtime.LinearMemory;
import io.pyrunr.wasm.runtime.TableEntry;
import io.pyrunr.wasm.types.Signature;

/**
 * {@code ffi_closure}: functions that ctypes makes at run time, with which C calls Python. The
 * rules are those of libffi's wasm32 port ({@code src/wasm32/ffi.c}).
 *
 * <p>All that a closure is stands in the job's memory; its table entry says where. So it is
 * restored with the memory, and a boot image can hold it.
 */
final class ForeignCallbacks {
  // struct ffi_closure
  private static final int CLOSURE_ENTRY = 0;
  private static final int CLOSURE_CIF = 4;
  private static final int CLOSURE_FUNCTION = 8;
  private static final int CLOSURE_DATA = 12;

  private static final int OK = 0;
  private static final int BAD_TYPE = 1;

  private final LinearMemory memory;
  private final GuestExports exports;
  private final ForeignTypes types;

  ForeignCallbacks(LinearMemory memory, GuestExports exports) {
    this.memory = memory;
    this.exports = exports;
    this.types = new ForeignTypes(memory);
  }

  void register(ImportTable table) {
    table.value("ffi_closure_alloc_js", a -> allocate((int) a[0], (int) a[1]));
    table.value(
        "ffi_prep_closure_loc_js",
        a -> prepare((int) a[0], (int) a[1], (int) a[2], (int) a[3], (int) a[4]));
    table.action("ffi_closure_free_js", a -> exports.call("free", a[0]));
  }

  /** Entries of closures that were freed are not used again: the table is cut back with the job. */
  private int allocate(int size, int code) {
    int closure = (int) exports.call("malloc", size);
    int index = closure == 0 ? -1 : memory.table.grow(1, FunctionTable.NULL, null);
    if (index < 0) {
      exports.call("free", closure);
      return 0;
    }
    memory.writeI32(code, index);
    memory.writeI32(closure + CLOSURE_ENTRY, index);
    return closure;
  }

  private int prepare(int closure, int cif, int function, int data, int index) {
    try {
      Signature unused = signature(cif);
    } catch (UnsupportedOperationException e) {
      return BAD_TYPE;
    }
    memory.writeI32(closure + CLOSURE_CIF, cif);
    memory.writeI32(closure + CLOSURE_FUNCTION, function);
    memory.writeI32(closure + CLOSURE_DATA, data);
    memory.table.setCallback(index, closure);
    return OK;
  }

  /** The entry of the closure at an address. */
  TableEntry entry(int closure) {
    Signature type = signature(memory.readInt(closure + CLOSURE_CIF));
    return FunctionTypes.entry(type, (arguments, unused) -> new Call(closure).run(arguments));
  }

  private Signature signature(int cif) {
    Kind result = types.result(cif);
    StringBuilder params = new StringBuilder(result.isByAddress() ? "i" : "");
    for (int i = 0; i < types.fixed(cif); i++) {
      params.append(types.argument(cif, i).kind().wasm());
    }
    if (types.all(cif) != types.fixed(cif)) {
      params.append('i');
    }
    return new Signature(params.toString(), result.isByAddress() ? "" : result.wasm());
  }

  /** One call: puts its arguments on the C stack, and an array of pointers to them. */
  private final class Call {
    private final int closure;
    private final int cif;
    private final StackFrame frame = new StackFrame(memory, exports);

    Call(int closure) {
      this.closure = closure;
      cif = memory.readInt(closure + CLOSURE_CIF);
    }

    long run(long[] arguments) {
      Kind kind = types.result(cif);
      int at = 0;
      int result = kind.isByAddress() ? (int) arguments[at++] : frame.reserve(8, 8);
      int fixed = types.fixed(cif);
      int all = types.all(cif);
      int pointers = frame.reserve(4 * all, 4);
      for (int i = 0; i < fixed; i++) {
        ForeignTypes.Type type = types.argument(cif, i);
        int place = place(type, (int) arguments[at]);
        switch (type.kind()) {
          case STRUCT -> at++;
          case LONG_DOUBLE -> {
            memory.writeLong(place, arguments[at++]);
            memory.writeLong(place + 8, arguments[at++]);
          }
          default -> types.store(type.kind(), place, arguments[at++]);
        }
        memory.writeI32(pointers + 4 * i, place);
      }
      if (all != fixed) {
        readRest(fixed, all, pointers, (int) arguments[at]);
      }
      frame.call(
          memory.readInt(closure + CLOSURE_FUNCTION),
          cif,
          result,
          pointers,
          memory.readInt(closure + CLOSURE_DATA));
      return kind.isByAddress() ? 0 : types.load(kind, result);
    }

    private int place(ForeignTypes.Type type, int value) {
      int size = type.kind().size();
      return type.kind() == Kind.STRUCT ? frame.copy(type, value) : frame.reserve(size, size);
    }

    /** A variadic function's further arguments, as {@code va_arg} finds them. */
    private void readRest(int fixed, int all, int pointers, int list) {
      int at = list;
      for (int i = fixed; i < all; i++) {
        Kind kind = types.argument(cif, i).kind();
        int size = Math.max(4, kind.size());
        at = (at + Math.min(size, 8) - 1) & -Math.min(size, 8);
        memory.writeI32(pointers + 4 * i, kind == Kind.STRUCT ? memory.readInt(at) : at);
        at += size;
      }
    }
  }
}
