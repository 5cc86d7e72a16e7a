package io.pyrunr.wasm.internal.ir;

import io.pyrunr.wasm.format.ByteSink;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.IrModule.DataSegment;
import io.pyrunr.wasm.internal.ir.IrModule.ElementSegment;
import io.pyrunr.wasm.internal.ir.IrModule.Export;
import io.pyrunr.wasm.internal.ir.IrModule.Global;
import io.pyrunr.wasm.internal.ir.IrModule.Import;
import io.pyrunr.wasm.internal.ir.IrModule.Kind;
import java.util.List;

/** Makes modules by hand for tests. Imports must be added before everything that has an index. */
public final class ModuleFactory {
  private final IrModule module = new IrModule();

  public IrModule module() {
    return module;
  }

  public int importFunction(String from, String name, FuncType type) {
    module.imports.add(new Import(from, name, Kind.FUNCTION, module.typeIndex(type), null));
    module.setImports(List.copyOf(module.imports));
    return module.importedFunctionCount() - 1;
  }

  public int importTag(String from, String name, FuncType type) {
    module.imports.add(new Import(from, name, Kind.TAG, module.typeIndex(type), null));
    module.setImports(List.copyOf(module.imports));
    return module.tagTypes().size() - 1;
  }

  public int importGlobal(String from, String name, ValueType type, boolean mutable) {
    byte[] raw = {(byte) type.code(), (byte) (mutable ? 1 : 0)};
    module.imports.add(new Import(from, name, Kind.GLOBAL, 0, raw));
    module.setImports(List.copyOf(module.imports));
    return module.importedGlobalCount() - 1;
  }

  public void importMemory(String from, String name, int pages, int maximum) {
    byte[] raw = new ByteSink().u8(1).u32(pages).u32(maximum).bytes();
    module.imports.add(new Import(from, name, Kind.MEMORY, 0, raw));
    module.setImports(List.copyOf(module.imports));
  }

  public void importTable(String from, String name, int size) {
    byte[] raw = new ByteSink().u8(ValueType.FUNCREF.code()).u8(0).u32(size).bytes();
    module.imports.add(new Import(from, name, Kind.TABLE, 0, raw));
    module.setImports(List.copyOf(module.imports));
  }

  public void memory(int pages, int maximum) {
    module.memories.add(new ByteSink().u8(1).u32(pages).u32(maximum).bytes());
  }

  public void table(int size) {
    module.tables.add(
        new ByteSink().u8(ValueType.FUNCREF.code()).u8(1).u32(size).u32(size).bytes());
  }

  public int tag(FuncType type) {
    module.tags.add(module.typeIndex(type));
    return module.tagTypes().size() - 1;
  }

  public int global(ValueType type) {
    return module.addGlobal(type);
  }

  public void immutableGlobal(int value) {
    module.globals.add(new Global(ValueType.I32, false, List.of(new Op(Opcodes.I32_CONST, value))));
  }

  public void elements(int offset, List<Integer> functions) {
    module.elements.add(new ElementSegment(List.of(new Op(Opcodes.I32_CONST, offset)), functions));
  }

  public void data(int offset, byte[] bytes) {
    module.data.add(new DataSegment(List.of(new Op(Opcodes.I32_CONST, offset)), bytes));
  }

  public void passiveData(byte[] bytes) {
    module.data.add(new DataSegment(null, bytes));
    module.hasDataCount = true;
  }

  public void custom(String name, byte[] bytes) {
    module.customs.put(name, bytes);
  }

  /** Reserves a function; {@link #define} gives it a body. */
  public int function(FuncType type) {
    return module.addFunction(type);
  }

  /** Adds a function with a body. */
  public int function(FuncType type, List<ValueType> locals, List<Instr> body) {
    int function = function(type);
    define(function, locals, body);
    return function;
  }

  /** Gives a function its body; {@code locals} come after the parameters. */
  public void define(int function, List<ValueType> locals, List<Instr> body) {
    FuncType type = module.functionType(function);
    define(
        function, locals, new Block(Opcodes.BLOCK, new FuncType(List.of(), type.results()), body));
  }

  public void define(int function, List<ValueType> locals, Block body) {
    FuncType type = module.functionType(function);
    List<ValueType> all = new java.util.ArrayList<>(type.params());
    all.addAll(locals);
    module.encode(new IrFunction(function, module.functionTypeIndex(function), type, all, body));
  }

  public void export(String name, int function) {
    module.addExport(new Export(name, Kind.FUNCTION, function));
  }

  public void exportGlobal(String name, int global) {
    module.addExport(new Export(name, Kind.GLOBAL, global));
  }

  public void exportMemory(String name) {
    module.addExport(new Export(name, Kind.MEMORY, 0));
  }

  /** A {@code dylink.0} section with memory and table information. */
  public void dylink(int memorySize, int memoryAlignment, int tableSize) {
    ByteSink info = new ByteSink().u32(memorySize).u32(memoryAlignment).u32(tableSize).u32(0);
    custom("dylink.0", new ByteSink().u8(1).sized(info).bytes());
  }

  public byte[] binary() {
    return ModuleWriter.write(module);
  }
}
