package io.pyrunr.wasm.internal.pass.link;

import io.pyrunr.wasm.format.WasmFormatException;
import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.ir.IrModule.Export;
import io.pyrunr.wasm.internal.ir.IrModule.Import;
import io.pyrunr.wasm.internal.ir.IrModule.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets a main module import what it shares with its side modules and would bring itself: memory,
 * table, exception tags and the stack pointer. The host makes these, for every Pyodide alike.
 */
final class SharedParts {
  private static final String STACK_POINTER = "__stack_pointer";

  private SharedParts() {}

  static void importIn(IrModule module) {
    List<Import> imports = new ArrayList<>(module.imports());
    if (!module.memories().isEmpty()) {
      imports.add(new Import("env", "memory", Kind.MEMORY, 0, module.memories().remove(0)));
    }
    if (!module.tables().isEmpty()) {
      imports.add(
          new Import("env", "__indirect_function_table", Kind.TABLE, 0, module.tables().remove(0)));
    }
    for (int tag = 0; !module.tags().isEmpty(); tag++) {
      String name = tagName(module, tag);
      imports.add(new Import("env", name, Kind.TAG, module.tags().remove(0), null));
    }
    imports.add(stackPointer(module));
    module.setImports(imports);
  }

  private static String tagName(IrModule module, int index) {
    return module.exports().stream()
        .filter(export -> export.kind() == Kind.TAG && export.index() == index)
        .map(Export::name)
        .findFirst()
        .orElseThrow(
            () ->
                new WasmFormatException("exception tag " + index + " has no name to share it by"));
  }

  /** The linker puts it before all other globals; as the last import it keeps its index. */
  private static Import stackPointer(IrModule module) {
    int first = module.importedGlobalCount();
    boolean isFirst =
        module.exports().stream()
            .anyMatch(
                export ->
                    export.kind() == Kind.GLOBAL
                        && export.index() == first
                        && export.name().equals(STACK_POINTER));
    if (!isFirst) {
      throw new WasmFormatException("the stack pointer is not the module's first global");
    }
    IrModule.Global global = module.globals().remove(0);
    byte[] type = {(byte) global.type().code(), (byte) (global.mutable() ? 1 : 0)};
    return new Import("env", STACK_POINTER, Kind.GLOBAL, 0, type);
  }
}
