package io.pyrunr.wasm.internal.ir;

import io.pyrunr.wasm.format.ByteSink;
import io.pyrunr.wasm.format.ByteSource;
import io.pyrunr.wasm.format.WasmFormatException;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.IrModule.DataSegment;
import io.pyrunr.wasm.internal.ir.IrModule.ElementSegment;
import io.pyrunr.wasm.internal.ir.IrModule.Export;
import io.pyrunr.wasm.internal.ir.IrModule.Global;
import io.pyrunr.wasm.internal.ir.IrModule.Import;
import io.pyrunr.wasm.internal.ir.IrModule.Kind;
import java.util.ArrayList;
import java.util.List;

/** Reads a binary module. */
public final class ModuleReader {
  private final IrModule module = new IrModule();

  private ModuleReader() {}

  /**
   * Reads a module.
   *
   * @throws WasmFormatException if it is damaged or has a section the passes do not know
   */
  public static IrModule read(byte[] wasm) {
    if (wasm.length < 8
        || wasm[0] != 0
        || wasm[1] != 'a'
        || wasm[2] != 's'
        || wasm[3] != 'm'
        || wasm[4] != 1) {
      throw new WasmFormatException("not a WebAssembly 1 module");
    }
    ModuleReader reader = new ModuleReader();
    ByteSource in = new ByteSource(wasm, 8, wasm.length);
    while (in.hasMore()) {
      int id = in.u8();
      reader.section(id, in.slice(in.u32()));
    }
    int functions = reader.module.functionTypes.size();
    if (functions != reader.module.bodies.size()) {
      throw new WasmFormatException(
          functions + " functions with " + reader.module.bodies.size() + " bodies");
    }
    return reader.module;
  }

  private void section(int id, ByteSource in) {
    switch (id) {
      case 0 -> {
        String name = in.name();
        module.customs.put(name, in.rest());
      }
      case 1 -> each(in, this::type);
      case 2 -> each(in, this::importEntry);
      case 3 -> each(in, entry -> module.functionTypes.add(entry.u32()));
      case 4 -> each(in, entry -> module.tables.add(tableType(entry)));
      case 5 -> each(in, entry -> module.memories.add(limits(entry, new ByteSink()).bytes()));
      case 6 -> each(in, this::global);
      case 7 -> each(in, this::export);
      case 8 -> module.start = in.u32();
      case 9 -> each(in, this::element);
      case 10 -> each(in, entry -> module.bodies.add(entry.take(entry.u32())));
      case 11 -> each(in, this::dataSegment);
      case 12 -> {
        in.u32();
        module.hasDataCount = true;
      }
      case 13 ->
          each(
              in,
              entry -> {
                entry.u8();
                module.tags.add(entry.u32());
              });
      default -> throw new WasmFormatException("unknown section " + id);
    }
    if (in.hasMore()) {
      throw new WasmFormatException("section " + id + " is longer than its content");
    }
  }

  private interface Entry {
    void read(ByteSource in);
  }

  private static void each(ByteSource in, Entry entry) {
    int count = in.count();
    for (int i = 0; i < count; i++) {
      entry.read(in);
    }
  }

  private void type(ByteSource in) {
    int form = in.u8();
    if (form != 0x60) {
      throw new WasmFormatException("type form 0x" + Integer.toHexString(form));
    }
    module.types.add(new FuncType(valueTypes(in), valueTypes(in)));
  }

  private static List<ValueType> valueTypes(ByteSource in) {
    List<ValueType> types = new ArrayList<>();
    each(in, entry -> types.add(ValueType.of(entry.u8())));
    return types;
  }

  private void importEntry(ByteSource in) {
    String from = in.name();
    String name = in.name();
    Kind kind = kind(in.u8());
    int index = 0;
    byte[] raw = null;
    switch (kind) {
      case FUNCTION -> index = in.u32();
      case TABLE -> raw = tableType(in);
      case MEMORY -> raw = limits(in, new ByteSink()).bytes();
      case GLOBAL -> raw = in.take(2);
      case TAG -> {
        in.u8();
        index = in.u32();
      }
    }
    module.imports.add(new Import(from, name, kind, index, raw));
  }

  private static Kind kind(int code) {
    if (code >= Kind.values().length) {
      throw new WasmFormatException("unknown kind of import or export: " + code);
    }
    return Kind.values()[code];
  }

  private static byte[] tableType(ByteSource in) {
    ByteSink out = new ByteSink().u8(ValueType.of(in.u8()).code());
    return limits(in, out).bytes();
  }

  private static ByteSink limits(ByteSource in, ByteSink out) {
    int flags = in.u8();
    out.u8(flags).u32(in.u32());
    if ((flags & 1) != 0) {
      out.u32(in.u32());
    }
    return out;
  }

  private void global(ByteSource in) {
    ValueType type = ValueType.of(in.u8());
    boolean mutable = in.u8() == 1;
    module.globals.add(new Global(type, mutable, constantExpression(in)));
  }

  private static List<Op> constantExpression(ByteSource in) {
    List<Op> ops = new ArrayList<>();
    for (int opcode = in.u8(); opcode != Opcodes.END; opcode = in.u8()) {
      ops.add(
          switch (opcode) {
            case Opcodes.I32_CONST, Opcodes.I64_CONST -> new Op(opcode, in.s64());
            case Opcodes.F32_CONST -> new Op(opcode, in.fixed(4));
            case Opcodes.F64_CONST -> new Op(opcode, in.fixed(8));
            case Opcodes.GLOBAL_GET, Opcodes.REF_FUNC -> new Op(opcode, in.u32());
            case Opcodes.REF_NULL -> new Op(opcode, in.u8());
            case Opcodes.I32_ADD, Opcodes.I32_SUB -> new Op(opcode);
            default ->
                throw new WasmFormatException(
                    "unsupported instruction 0x"
                        + Integer.toHexString(opcode)
                        + " in a constant expression");
          });
    }
    return ops;
  }

  private void export(ByteSource in) {
    String name = in.name();
    module.exports.add(new Export(name, kind(in.u8()), in.u32()));
  }

  private void element(ByteSource in) {
    int flags = in.u32();
    if (flags != 0) {
      throw new WasmFormatException("element segment of form " + flags);
    }
    List<Op> offset = constantExpression(in);
    List<Integer> functions = new ArrayList<>();
    each(in, entry -> functions.add(entry.u32()));
    module.elements.add(new ElementSegment(offset, functions));
  }

  private void dataSegment(ByteSource in) {
    int flags = in.u32();
    switch (flags) {
      case 0 -> {
        List<Op> offset = constantExpression(in);
        module.data.add(new DataSegment(offset, in.take(in.u32())));
      }
      case 1 -> module.data.add(new DataSegment(null, in.take(in.u32())));
      default -> throw new WasmFormatException("data segment of form " + flags);
    }
  }
}
