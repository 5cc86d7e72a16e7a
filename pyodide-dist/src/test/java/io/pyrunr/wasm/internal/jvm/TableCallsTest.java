package io.pyrunr.wasm.internal.jvm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.dylibso.chicory.runtime.ImportMemory;
import com.dylibso.chicory.runtime.ImportTable;
import com.dylibso.chicory.runtime.ImportValues;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Machine;
import com.dylibso.chicory.wasm.ChicoryException;
import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.FunctionType;
import com.dylibso.chicory.wasm.types.Table;
import com.dylibso.chicory.wasm.types.TableLimits;
import com.dylibso.chicory.wasm.types.ValType;
import io.pyrunr.wasm.internal.ir.FuncType;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.ModuleFactory;
import io.pyrunr.wasm.internal.ir.Opcodes;
import io.pyrunr.wasm.internal.ir.ValueType;
import io.pyrunr.wasm.runtime.FunctionTable;
import io.pyrunr.wasm.runtime.LinearMemory;
import io.pyrunr.wasm.runtime.LinkedFunction;
import io.pyrunr.wasm.types.Signature;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls through a table that several modules share, and of functions of one in another. */
class TableCallsTest {
  private static final FuncType UNARY =
      new FuncType(List.of(ValueType.I32), List.of(ValueType.I32));
  private static final FuncType LONG = new FuncType(List.of(ValueType.I64), List.of(ValueType.I32));
  private static final FuncType MIXED =
      new FuncType(
          List.of(ValueType.I32, ValueType.I64, ValueType.F32, ValueType.F64),
          List.of(ValueType.F64));

  private static final int F64_ADD = 0xa0;
  private static final int F64_CONVERT_I32_S = 0xb7;
  private static final int F64_CONVERT_I64_S = 0xb9;
  private static final int F64_PROMOTE_F32 = 0xbb;

  private final LinearMemory memory = new LinearMemory(1, 1);

  @BeforeEach
  void makeTable() {
    memory.table =
        new FunctionTable(new Table(ValType.FuncRef, new TableLimits(8, 1000)), FunctionTable.NULL);
  }

  private static Op get(int local) {
    return new Op(Opcodes.LOCAL_GET, local);
  }

  /** A module that puts {@code x + added} at {@code slot} and can call any entry of two types. */
  private static ModuleFactory module(int slot, int added, boolean longFirst) {
    ModuleFactory factory = new ModuleFactory();
    factory.importMemory("env", "memory", 1, 1);
    factory.importTable("env", "table", 8);
    if (longFirst) {
      // Shifts the numbers of the types: an index alone must not decide.
      factory.module().typeIndex(LONG);
    }
    int add =
        factory.function(
            UNARY,
            List.of(),
            List.of(get(0), new Op(Opcodes.I32_CONST, added), new Op(Opcodes.I32_ADD)));
    factory.elements(slot, List.of(add));
    for (var each : Map.of("unary", UNARY, "long", LONG).entrySet()) {
      FuncType type = each.getValue();
      FuncType caller = new FuncType(List.of(type.params().get(0), ValueType.I32), type.results());
      int call =
          factory.function(
              caller,
              List.of(),
              List.of(
                  get(0),
                  get(1),
                  new Op(Opcodes.CALL_INDIRECT, factory.module().typeIndex(type), 0)));
      factory.export(each.getKey(), call);
    }
    factory.export("add", add);
    return factory;
  }

  private Instance instantiate(ModuleFactory factory) {
    return instantiate(factory, ImportValues.builder(), "generated.Plain", Map.of(), null);
  }

  private Instance instantiate(
      ModuleFactory factory,
      ImportValues.Builder imports,
      String name,
      Map<String, byte[]> others,
      MainModule main) {
    WasmModule module = Parser.parse(factory.binary());
    Map<String, byte[]> classes =
        new HashMap<>(ModuleCompiler.compile(module, name, Map.of(), main).classes());
    others.forEach(classes::putIfAbsent);
    imports
        .addMemory(new ImportMemory("env", "memory", memory))
        .addTable(new ImportTable("env", "table", memory.table));
    return Instance.builder(module)
        .withImportValues(imports.build())
        .withMachineFactory(instance -> machine(classes, name, instance))
        .build();
  }

  private final Map<Map<String, byte[]>, ClassLoader> loaders = new HashMap<>();
  private final ClassLoader shared = new Classes(getClass().getClassLoader(), Map.of());

  /** Defines classes; those of signatures once, in a loader that all modules share. */
  private static final class Classes extends ClassLoader {
    private final Map<String, byte[]> files;

    Classes(ClassLoader parent, Map<String, byte[]> files) {
      super(parent);
      this.files = files;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      byte[] file = files.get(name);
      if (file == null && Signature.isClassName(name) && files.isEmpty()) {
        file = Signature.ofClassName(name).classFile();
      }
      if (file == null) {
        throw new ClassNotFoundException(name);
      }
      return defineClass(name, file, 0, file.length);
    }
  }

  private Machine machine(Map<String, byte[]> classes, String name, Instance instance) {
    try {
      return (Machine)
          loaders
              .computeIfAbsent(classes, files -> new Classes(shared, files))
              .loadClass(name)
              .getConstructor(Instance.class)
              .newInstance(instance);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long call(Instance instance, String function, long... args) {
    return instance.export(function).apply(args)[0];
  }

  /** Chicory looks the caller's type number up among the callee's types. */
  @Test
  void typesAreComparedByStructureAcrossModules() {
    Instance first = instantiate(module(1, 10, false));
    Instance second = instantiate(module(2, 20, true));
    assertEquals(15, call(first, "unary", 5, 1));
    assertEquals(25, call(first, "unary", 5, 2));
    assertEquals(15, call(second, "unary", 5, 1));
    assertEquals(25, call(second, "unary", 5, 2));
  }

  @Test
  void anotherTypeTrapsEvenWithTheSameNumber() {
    Instance first = instantiate(module(1, 10, false));
    Instance second = instantiate(module(2, 20, true));
    for (Instance instance : List.of(first, second)) {
      for (int slot : new int[] {1, 2}) {
        var e = assertThrows(ChicoryException.class, () -> call(instance, "long", 5, slot));
        assertTrue(e.getMessage().contains("type mismatch"), e.getMessage());
      }
    }
  }

  @Test
  void emptyAndOutsideEntriesTrap() {
    Instance instance = instantiate(module(1, 10, false));
    for (long slot : new long[] {0, 3, 7, 8, 1 << 20, -1, Integer.MIN_VALUE}) {
      assertThrows(ChicoryException.class, () -> call(instance, "unary", 5, slot));
    }
  }

  /** What comes after a seal goes with a cut, and the entries below cannot be changed. */
  @Test
  void aTableIsCutBack() {
    Instance first = instantiate(module(1, 10, false));
    memory.table.seal();
    int added = memory.table.grow(3, FunctionTable.NULL, null);
    assertEquals(8, added);
    Instance second = instantiate(module(9, 20, false));
    assertEquals(25, call(first, "unary", 5, 9));
    assertEquals(25, memory.table.entry(9).apply(new long[] {5}, memory)[0]);
    memory.table.truncate(8);
    assertEquals(8, memory.table.size());
    assertThrows(ChicoryException.class, () -> call(first, "unary", 5, 9));
    assertThrows(ChicoryException.class, () -> memory.table.setRef(1, 0, second));
    assertEquals(15, call(first, "unary", 5, 1));
    assertEquals(8, memory.table.grow(2, FunctionTable.NULL, null));
    assertThrows(ChicoryException.class, () -> call(first, "unary", 5, 9));
  }

  @Test
  void entriesTakeRawValuesOfEveryType() {
    ModuleFactory factory = new ModuleFactory();
    factory.importMemory("env", "memory", 1, 1);
    factory.importTable("env", "table", 8);
    int sum =
        factory.function(
            MIXED,
            List.of(),
            List.of(
                get(0),
                new Op(F64_CONVERT_I32_S),
                get(1),
                new Op(F64_CONVERT_I64_S),
                new Op(F64_ADD),
                get(2),
                new Op(F64_PROMOTE_F32),
                new Op(F64_ADD),
                get(3),
                new Op(F64_ADD)));
    factory.elements(4, List.of(sum));
    Instance unused = instantiate(factory);
    var entry = memory.table.entry(4);
    assertEquals(4, entry.parameterCount());
    long[] arguments = {
      -1, 1L << 40, Float.floatToRawIntBits(0.5f), Double.doubleToRawLongBits(0.25)
    };
    assertArrayEquals(
        new long[] {Double.doubleToRawLongBits((1L << 40) - 1 + 0.75)},
        entry.apply(arguments, memory));
    assertThrows(ChicoryException.class, () -> entry.trampoline(1, 2, 3, memory));
  }

  /** CPython's trampoline: as many arguments as the function takes, zeros for what is missing. */
  @Test
  void theTrampolineFitsArguments() {
    ModuleFactory factory = new ModuleFactory();
    factory.importMemory("env", "memory", 1, 1);
    factory.importTable("env", "table", 8);
    FuncType four = new FuncType(Collections.nCopies(4, ValueType.I32), List.of(ValueType.I32));
    int trampoline = factory.importFunction("env", "_PyEM_TrampolineCall_JS", four);
    int none =
        factory.function(
            new FuncType(List.of(), UNARY.results()),
            List.of(),
            List.of(new Op(Opcodes.I32_CONST, 7)));
    int one = factory.function(UNARY, List.of(), List.of(get(0)));
    int last = factory.function(four, List.of(), List.of(get(2), get(3), new Op(Opcodes.I32_ADD)));
    int nothing = factory.function(FuncType.VOID, List.of(), List.of());
    factory.elements(1, List.of(none, one, last, nothing));
    factory.export(
        "call",
        factory.function(
            four,
            List.of(),
            List.of(get(0), get(1), get(2), get(3), new Op(Opcodes.CALL, trampoline))));
    Instance instance =
        instantiate(
            factory,
            ImportValues.builder()
                .addFunction(
                    new LinkedFunction(
                        "env",
                        "_PyEM_TrampolineCall_JS",
                        FunctionType.of(Collections.nCopies(4, ValType.I32), List.of(ValType.I32)),
                        (i, args) -> {
                          throw new AssertionError("went to the host");
                        })),
            "generated.Trampoline",
            Map.of(),
            null);
    assertEquals(7, call(instance, "call", 1, 10, 20, 30));
    assertEquals(10, call(instance, "call", 2, 10, 20, 30));
    assertEquals(30, call(instance, "call", 3, 10, 20, 30));
    assertEquals(0, call(instance, "call", 4, 10, 20, 30));
    assertThrows(ChicoryException.class, () -> call(instance, "call", 5, 10, 20, 30));
  }

  /** An import is the main module's function, or one it is linked to later, or the host's. */
  @Test
  void importsGoWhereTheyAreLinked() {
    ModuleFactory mainFactory = module(1, 10, false);
    WasmModule mainWasm = Parser.parse(mainFactory.binary());
    var mainCompiled = ModuleCompiler.compile(mainWasm, "generated.Main", Map.of());
    ModuleFactory factory = new ModuleFactory();
    factory.importMemory("env", "memory", 1, 1);
    factory.importTable("env", "table", 8);
    Map<String, Integer> imported = new HashMap<>();
    for (String name : List.of("add", "linked", "host")) {
      imported.put(name, factory.importFunction("env", name, UNARY));
    }
    for (String name : List.of("add", "linked", "host")) {
      factory.export(
          "call_" + name,
          factory.function(
              UNARY, List.of(), List.of(get(0), new Op(Opcodes.CALL, imported.get(name)))));
    }
    FunctionType type = FunctionType.of(List.of(ValType.I32), List.of(ValType.I32));
    Map<String, LinkedFunction> functions = new HashMap<>();
    ImportValues.Builder imports = ImportValues.builder();
    for (String name : List.of("add", "linked", "host")) {
      functions.put(
          name, new LinkedFunction("env", name, type, (i, args) -> new long[] {args[0] * 2}));
      imports.addFunction(functions.get(name));
    }
    MainModule main = new MainModule(mainWasm, "generated.Main", mainCompiled.functionsPerClass());
    Instance instance =
        instantiate(factory, imports, "generated.Side", mainCompiled.classes(), main);
    memory.main = instance; // any: the function called needs nothing of it
    assertEquals(15, call(instance, "call_add", 5));
    assertEquals(10, call(instance, "call_host", 5));
    assertEquals(10, call(instance, "call_linked", 5));
    Instance other = instantiate(module(2, 20, true));
    functions.get("linked").link(other, 0); // add, the first function
    assertEquals(25, call(instance, "call_linked", 5));
  }
}
