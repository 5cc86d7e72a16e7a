package io.pyrunr.executor.internal.emscripten;

import io.pyrunr.wasm.runtime.GuestFault;
import io.pyrunr.wasm.runtime.LinearMemory;
import io.pyrunr.wasm.runtime.StopSignal;

/**
 * Reads libffi's descriptions of functions and types ({@code struct ffi_cif} and {@code ffi_type}),
 * and values of these types. Jobs write the descriptions, so nothing about them is certain.
 */
final class ForeignTypes {
  /** The kinds in the order of libffi's numbers, {@code FFI_TYPE_VOID} and so on. */
  enum Kind {
    VOID("", 0),
    INT("i", 4),
    FLOAT("f", 4),
    DOUBLE("d", 8),
    LONG_DOUBLE("jj", 16),
    UINT8("i", 1),
    SINT8("i", 1),
    UINT16("i", 2),
    SINT16("i", 2),
    UINT32("i", 4),
    SINT32("i", 4),
    UINT64("j", 8),
    SINT64("j", 8),
    STRUCT("i", 4),
    POINTER("i", 4);

    private static final Kind[] ALL = values();

    private final String wasm;
    private final int size;

    Kind(String wasm, int size) {
      this.wasm = wasm;
      this.size = size;
    }

    /** The wasm values that pass one as a parameter, a letter each. */
    String wasm() {
      return wasm;
    }

    /** Bytes in memory; of a structure its address's. */
    int size() {
      return size;
    }

    /** Whether a function that returns one takes the address to put it at. */
    boolean isByAddress() {
      return this == LONG_DOUBLE || this == STRUCT;
    }
  }

  /** A type, where structures of one member are that member. */
  record Type(Kind kind, int size, int alignment) {}

  /** As ctypes allows. */
  private static final int MOST_ARGUMENTS = 1024;

  // struct ffi_cif
  private static final int CIF_ARGUMENTS = 4;
  private static final int CIF_ARGUMENT_TYPES = 8;
  private static final int CIF_RETURN_TYPE = 12;
  private static final int CIF_FIXED_ARGUMENTS = 24;

  // struct ffi_type
  private static final int TYPE_ALIGNMENT = 4;
  private static final int TYPE_KIND = 6;
  private static final int TYPE_ELEMENTS = 8;

  private final LinearMemory memory;

  ForeignTypes(LinearMemory memory) {
    this.memory = memory;
  }

  // ---------------------------------------------------------------- functions

  /** How many parameters a function has, those that may vary left out. */
  int fixed(int cif) {
    int fixed = memory.readInt(cif + CIF_FIXED_ARGUMENTS);
    if (fixed < 0 || fixed > MOST_ARGUMENTS) {
      throw new GuestFault("a call interface with " + fixed + " arguments");
    }
    return fixed;
  }

  /** How many arguments a call has. */
  int all(int cif) {
    int all = memory.readInt(cif + CIF_ARGUMENTS);
    if (all < fixed(cif) || all > MOST_ARGUMENTS) {
      throw new GuestFault("a call interface with " + all + " arguments");
    }
    return all;
  }

  Type argument(int cif, int index) {
    return type(memory.readInt(memory.readInt(cif + CIF_ARGUMENT_TYPES) + 4 * index));
  }

  /** What a function returns. An empty structure takes no room and gives nothing. */
  Kind result(int cif) {
    int type = unboxed(memory.readInt(cif + CIF_RETURN_TYPE));
    Kind kind = kind(type);
    boolean empty =
        kind == Kind.STRUCT && memory.readInt(memory.readInt(type + TYPE_ELEMENTS)) == 0;
    return empty ? Kind.VOID : kind;
  }

  // ---------------------------------------------------------------- types

  private Type type(int address) {
    int type = unboxed(address);
    return new Type(
        kind(type), memory.readInt(type), memory.readShort(type + TYPE_ALIGNMENT) & 0xffff);
  }

  /** A structure of one member is passed as that member. */
  private int unboxed(int type) {
    int each = type;
    while (kind(each) == Kind.STRUCT) {
      StopSignal.poll(); // a structure that was made to contain itself has no end
      int members = memory.readInt(each + TYPE_ELEMENTS);
      int first = memory.readInt(members);
      if (first == 0 || memory.readInt(members + 4) != 0) {
        break;
      }
      each = first;
    }
    return each;
  }

  private Kind kind(int type) {
    int number = memory.readShort(type + TYPE_KIND) & 0xffff;
    if (number >= Kind.ALL.length) {
      throw new UnsupportedOperationException("libffi's type " + number + " (complex numbers)");
    }
    return Kind.ALL[number];
  }

  // ---------------------------------------------------------------- values of one wasm value

  /** Reads what a wasm value stands for, as its raw bits. */
  long load(Kind kind, int at) {
    return switch (kind) {
      case VOID -> 0;
      case INT, UINT32, SINT32, POINTER, FLOAT, STRUCT -> memory.readInt(at);
      case DOUBLE, UINT64, SINT64 -> memory.readLong(at);
      case UINT8 -> memory.read(at) & 0xff;
      case SINT8 -> memory.read(at);
      case UINT16 -> memory.readShort(at) & 0xffff;
      case SINT16 -> memory.readShort(at);
      case LONG_DOUBLE -> throw new IllegalArgumentException("takes two values");
    };
  }

  void store(Kind kind, int at, long value) {
    switch (kind) {
      case VOID -> {}
      case INT, UINT32, SINT32, POINTER, FLOAT, STRUCT -> memory.writeI32(at, (int) value);
      case DOUBLE, UINT64, SINT64 -> memory.writeLong(at, value);
      case UINT8, SINT8 -> memory.writeByte(at, (byte) value);
      case UINT16, SINT16 -> memory.writeShort(at, (short) value);
      case LONG_DOUBLE -> throw new IllegalArgumentException("takes two values");
    }
  }
}
