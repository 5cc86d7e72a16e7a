package io.pyrunr.wasm.internal.ir;

import io.pyrunr.wasm.format.ByteSink;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.IrModule.DataSegment;
import io.pyrunr.wasm.internal.ir.IrModule.Import;
import io.pyrunr.wasm.internal.ir.IrModule.Kind;
import java.util.List;
import java.util.function.BiConsumer;

/** Writes a binary module. */
public final class ModuleWriter {
  private static final byte[] HEADER = {0, 'a', 's', 'm', 1, 0, 0, 0};

  // unreachable; end - without locals
  private static final byte[] EMPTY_BODY = {0, Opcodes.UNREACHABLE, Opcodes.END};

  private final IrModule module;
  private final ByteSink out = new ByteSink();

  private ModuleWriter(IrModule module) {
    this.module = module;
    out.raw(HEADER);
  }

  /** The whole module. */
  public static byte[] write(IrModule module) {
    return new ModuleWriter(module).sections(true);
  }

  /** The module with every body empty and without custom sections: what a compiled module needs. */
  public static byte[] writeWithoutCode(IrModule module) {
    return new ModuleWriter(module).sections(false);
  }

  private byte[] sections(boolean code) {
    if (!module.isComplete()) {
      throw new IllegalStateException("imports were added, but not every body was encoded since");
    }
    // Bodies were encoded before; a block type among them may have added to the types.
    vector(1, module.types, this::type);
    imports();
    vector(3, module.functionTypes, (type, sink) -> sink.u32(type));
    vector(4, module.tables, (raw, sink) -> sink.raw(raw));
    vector(5, module.memories, (raw, sink) -> sink.raw(raw));
    vector(13, module.tags, (type, sink) -> sink.u8(0).u32(type));
    vector(
        6,
        module.globals,
        (global, sink) -> {
          sink.u8(global.type().code()).u8(global.mutable() ? 1 : 0);
          expression(global.init(), sink);
        });
    vector(
        7,
        module.exports,
        (export, sink) ->
            sink.name(export.name())
                .u8(export.kind().ordinal())
                .u32(
                    export.kind() == Kind.FUNCTION
                        ? position(module, export.index())
                        : export.index()));
    if (module.start != null) {
      section(8, new ByteSink().u32(position(module, module.start)));
    }
    vector(
        9,
        module.elements,
        (segment, sink) -> {
          sink.u32(0);
          expression(segment.offset(), sink);
          sink.u32(segment.functions().size());
          segment.functions().forEach(function -> sink.u32(position(module, function)));
        });
    if (module.hasDataCount) {
      section(12, new ByteSink().u32(module.data.size()));
    }
    vector(
        10,
        module.bodies,
        (body, sink) -> {
          byte[] bytes = code ? body : EMPTY_BODY;
          sink.u32(bytes.length).raw(bytes);
        });
    vector(11, module.data, this::data);
    module.customs.forEach(
        (name, bytes) -> {
          if (code || !name.equals("name")) { // names are of functions, which are left out
            section(0, new ByteSink().name(name).raw(bytes));
          }
        });
    return out.bytes();
  }

  /** Where a function stands in the binary: added imports come right after the others. */
  static int position(IrModule module, int function) {
    int imported = module.importedFunctionCount();
    if (function >= IrModule.ADDED_IMPORTS) {
      return imported + function - IrModule.ADDED_IMPORTS;
    }
    return function < imported ? function : function + module.addedImports.size();
  }

  private void imports() {
    // Imports of each kind have indices of their own, so added ones can stand last.
    List<Import> all = new java.util.ArrayList<>(module.imports);
    all.addAll(module.addedImports);
    vector(
        2,
        all,
        (entry, sink) -> {
          sink.name(entry.module()).name(entry.name()).u8(entry.kind().ordinal());
          switch (entry.kind()) {
            case FUNCTION -> sink.u32(entry.index());
            case TAG -> sink.u8(0).u32(entry.index());
            default -> sink.raw(entry.raw());
          }
        });
  }

  private void type(FuncType type, ByteSink sink) {
    sink.u8(0x60);
    for (List<ValueType> side : List.of(type.params(), type.results())) {
      sink.u32(side.size());
      side.forEach(value -> sink.u8(value.code()));
    }
  }

  private void data(DataSegment segment, ByteSink sink) {
    if (segment.offset() == null) {
      sink.u32(1);
    } else {
      sink.u32(0);
      expression(segment.offset(), sink);
    }
    sink.u32(segment.bytes().length).raw(segment.bytes());
  }

  private void expression(List<Op> ops, ByteSink sink) {
    for (Op op : ops) {
      sink.u8(op.opcode());
      switch (op.opcode()) {
        case Opcodes.I32_CONST, Opcodes.I64_CONST -> sink.s64(op.a);
        case Opcodes.F32_CONST -> sink.fixed(op.a, 4);
        case Opcodes.F64_CONST -> sink.fixed(op.a, 8);
        case Opcodes.REF_FUNC -> sink.u32(position(module, op.index()));
        case Opcodes.GLOBAL_GET -> sink.u32(op.index());
        case Opcodes.REF_NULL -> sink.u8(op.index());
        default -> {} // additions and subtractions have no immediate
      }
    }
    sink.u8(Opcodes.END);
  }

  private <T> void vector(int id, List<T> entries, BiConsumer<T, ByteSink> writer) {
    if (entries.isEmpty()) {
      return;
    }
    ByteSink content = new ByteSink().u32(entries.size());
    entries.forEach(entry -> writer.accept(entry, content));
    section(id, content);
  }

  private void section(int id, ByteSink content) {
    out.u8(id).sized(content);
  }
}
