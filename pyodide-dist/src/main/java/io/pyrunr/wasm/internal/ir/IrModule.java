package io.pyrunr.wasm.internal.ir;

import io.pyrunr.wasm.format.ByteSource;
import io.pyrunr.wasm.format.DylinkSection;
import io.pyrunr.wasm.format.WasmFormatException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A module: sections as lists, function bodies as bytes until {@link #decode} is asked for one.
 *
 * <p>Function indices never change: imports added later get indices from {@link #ADDED_IMPORTS} up
 * and are put in order when the module is written.
 */
public final class IrModule {
  /** First index of function imports added to the module. */
  public static final int ADDED_IMPORTS = 1 << 28;

  /** What an import or export is. The order is that of the binary codes. */
  public enum Kind {
    FUNCTION,
    TABLE,
    MEMORY,
    GLOBAL,
    TAG
  }

  /**
   * An import; {@code index} is the type of a function or tag, {@code raw} the rest's description.
   */
  public record Import(String module, String name, Kind kind, int index, byte[] raw) {
    /** A memory's smallest size in pages. */
    public int limitMinimum() {
      ByteSource in = new ByteSource(raw);
      in.u8(); // flags
      return in.u32();
    }
  }

  /** An export. */
  public record Export(String name, Kind kind, int index) {}

  /** A global: its value type, whether it can be set, and the instructions that compute it. */
  public record Global(ValueType type, boolean mutable, List<Instr.Op> init) {}

  /** Table entries from {@code offset} on. */
  public record ElementSegment(List<Instr.Op> offset, List<Integer> functions) {}

  /** Bytes copied to memory; passive if {@code offset} is null. */
  public record DataSegment(List<Instr.Op> offset, byte[] bytes) {}

  final List<FuncType> types = new ArrayList<>();
  private final Map<FuncType, Integer> typeIndices = new HashMap<>();
  final List<Import> imports = new ArrayList<>();
  private final Map<Kind, List<Import>> importsByKind = new EnumMap<>(Kind.class);
  final List<Import> addedImports = new ArrayList<>();
  final List<Integer> functionTypes = new ArrayList<>();
  final List<byte[]> tables = new ArrayList<>();
  final List<byte[]> memories = new ArrayList<>();
  final List<Global> globals = new ArrayList<>();
  final List<Integer> tags = new ArrayList<>();
  final List<Export> exports = new ArrayList<>();
  final List<ElementSegment> elements = new ArrayList<>();
  final List<DataSegment> data = new ArrayList<>();
  final Map<String, byte[]> customs = new LinkedHashMap<>();
  final List<byte[]> bodies = new ArrayList<>();
  private final BitSet encoded = new BitSet();
  Integer start;
  boolean hasDataCount;

  static int checked(String what, int index, int count) {
    if (index < 0 || index >= count) {
      throw new WasmFormatException(what + " " + Integer.toUnsignedString(index) + " of " + count);
    }
    return index;
  }

  // ---------------------------------------------------------------- types

  public FuncType type(int index) {
    return types.get(checked("type", index, types.size()));
  }

  public List<FuncType> types() {
    return types;
  }

  /** The index of a type, which is added if the module does not have it. */
  public int typeIndex(FuncType type) {
    if (typeIndices.isEmpty()) {
      for (int i = 0; i < types.size(); i++) {
        typeIndices.putIfAbsent(types.get(i), i);
      }
    }
    return typeIndices.computeIfAbsent(
        type,
        added -> {
          types.add(added);
          return types.size() - 1;
        });
  }

  // ---------------------------------------------------------------- imports and exports

  public List<Import> imports() {
    return imports;
  }

  /** Imports of one kind, in index order. */
  public List<Import> imports(Kind kind) {
    return importsByKind.computeIfAbsent(
        kind, wanted -> imports.stream().filter(entry -> entry.kind() == wanted).toList());
  }

  /** Replaces the imports; those of functions must stay in number and order. */
  public void setImports(List<Import> changed) {
    imports.clear();
    imports.addAll(changed);
    importsByKind.clear();
  }

  public List<Export> exports() {
    return exports;
  }

  /** Index of an exported function, or -1. */
  public int exportedFunction(String name) {
    for (Export export : exports) {
      if (export.kind() == Kind.FUNCTION && export.name().equals(name)) {
        return export.index();
      }
    }
    return -1;
  }

  public void addExport(Export export) {
    exports.add(export);
  }

  /**
   * Adds a function import and returns the index to call it by. It shifts the functions' positions
   * in the binary, so every body has to be encoded again before the module is written.
   *
   * @throws IllegalStateException if a body was encoded already
   */
  public int addFunctionImport(String module, String name, FuncType type) {
    if (!encoded.isEmpty()) {
      throw new IllegalStateException("imports must be added before bodies are encoded");
    }
    addedImports.add(new Import(module, name, Kind.FUNCTION, typeIndex(type), null));
    return ADDED_IMPORTS + addedImports.size() - 1;
  }

  /** How many function imports were added. */
  public int addedImportCount() {
    return addedImports.size();
  }

  // ---------------------------------------------------------------- functions

  public int importedFunctionCount() {
    return imports(Kind.FUNCTION).size();
  }

  /** Imported and defined functions, those added as imports not counted. */
  public int functionCount() {
    return importedFunctionCount() + functionTypes.size();
  }

  public int functionTypeIndex(int function) {
    if (function >= ADDED_IMPORTS) {
      return addedImports.get(function - ADDED_IMPORTS).index();
    }
    int imported = importedFunctionCount();
    checked("function", function, imported + functionTypes.size());
    return function < imported
        ? imports(Kind.FUNCTION).get(function).index()
        : functionTypes.get(function - imported);
  }

  public FuncType functionType(int function) {
    return type(functionTypeIndex(function));
  }

  /** The function's body, decoded anew at each call. */
  public IrFunction decode(int function) {
    return new FunctionReader(this).read(function, bodies.get(function - importedFunctionCount()));
  }

  /** Puts a changed body back. */
  public void encode(IrFunction function) {
    int body = function.index() - importedFunctionCount();
    bodies.set(body, new FunctionWriter(this).write(function));
    encoded.set(body);
  }

  /** Whether every body is in a state that can be written. */
  boolean isComplete() {
    return addedImports.isEmpty() || encoded.cardinality() == bodies.size();
  }

  /** Reserves the index of a new function; its body comes with {@link #encode}. */
  public int addFunction(FuncType type) {
    functionTypes.add(typeIndex(type));
    bodies.add(null);
    return functionCount() - 1;
  }

  // ---------------------------------------------------------------- the rest

  public List<Global> globals() {
    return globals;
  }

  public int importedGlobalCount() {
    return imports(Kind.GLOBAL).size();
  }

  /** Value type of a global by index, imported ones included. */
  public ValueType globalType(int index) {
    int imported = importedGlobalCount();
    checked("global", index, imported + globals.size());
    return index < imported
        ? ValueType.of(imports(Kind.GLOBAL).get(index).raw()[0] & 0xff)
        : globals.get(index - imported).type();
  }

  /** Type of a table's entries by index, imported ones included. */
  public ValueType tableType(int index) {
    List<Import> imported = imports(Kind.TABLE);
    checked("table", index, imported.size() + tables.size());
    byte[] raw =
        index < imported.size() ? imported.get(index).raw() : tables.get(index - imported.size());
    return ValueType.of(raw[0] & 0xff);
  }

  /** Adds a mutable global that starts at zero and returns its index. */
  public int addGlobal(ValueType type) {
    int constant =
        switch (type) {
          case I32 -> Opcodes.I32_CONST;
          case I64 -> Opcodes.I64_CONST;
          case F32 -> Opcodes.F32_CONST;
          case F64 -> Opcodes.F64_CONST;
          default -> throw new IllegalArgumentException("no zero global of type " + type);
        };
    globals.add(new Global(type, true, List.of(new Instr.Op(constant))));
    return importedGlobalCount() + globals.size() - 1;
  }

  /** Type indices of the tags, imported ones first. */
  public List<Integer> tagTypes() {
    List<Integer> all = new ArrayList<>();
    imports(Kind.TAG).forEach(entry -> all.add(entry.index()));
    all.addAll(tags);
    return all;
  }

  /** Type indices of the tags that the module brings. */
  public List<Integer> tags() {
    return tags;
  }

  /** Tables that the module brings, as their import would describe them. */
  public List<byte[]> tables() {
    return tables;
  }

  /** Memories that the module brings, likewise. */
  public List<byte[]> memories() {
    return memories;
  }

  public List<ElementSegment> elements() {
    return elements;
  }

  public List<DataSegment> data() {
    return data;
  }

  /** Custom sections by name. */
  public Map<String, byte[]> customs() {
    return customs;
  }

  /**
   * What the module asks of its loader.
   *
   * @throws WasmFormatException if it has no such section
   */
  public DylinkSection dylink() {
    return DylinkSection.parse(customs.get(DylinkSection.NAME));
  }

  public Integer start() {
    return start;
  }
}
