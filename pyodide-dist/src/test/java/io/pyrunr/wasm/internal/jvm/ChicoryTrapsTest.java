package io.pyrunr.wasm.internal.jvm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.dylibso.chicory.compiler.MachineFactoryCompiler;
import com.dylibso.chicory.runtime.ChicoryInterruptedException;
import com.dylibso.chicory.runtime.ImportMemory;
import com.dylibso.chicory.runtime.ImportTag;
import com.dylibso.chicory.runtime.ImportValues;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Machine;
import com.dylibso.chicory.runtime.TagInstance;
import com.dylibso.chicory.runtime.WasmException;
import com.dylibso.chicory.wasm.ChicoryException;
import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.FunctionType;
import com.dylibso.chicory.wasm.types.TagType;
import com.dylibso.chicory.wasm.types.ValType;
import io.pyrunr.wasm.internal.ir.FuncType;
import io.pyrunr.wasm.internal.ir.Instr;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.Instr.Branch;
import io.pyrunr.wasm.internal.ir.Instr.CatchClause;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.ModuleFactory;
import io.pyrunr.wasm.internal.ir.Opcodes;
import io.pyrunr.wasm.internal.ir.ValueType;
import io.pyrunr.wasm.internal.pass.lower.LegacyExceptions;
import io.pyrunr.wasm.runtime.FunctionTable;
import io.pyrunr.wasm.runtime.LinearMemory;
import io.pyrunr.wasm.runtime.StopSignal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Where Chicory 1.7.5 goes wrong, shown, and that compiled modules of ours do not. */
class ChicoryTrapsTest {
  private static final FuncType I32_IN = new FuncType(List.of(ValueType.I32), List.of());
  private static final FuncType I32_OUT = new FuncType(List.of(), List.of(ValueType.I32));

  private static Function<Instance, Machine> compile(WasmModule module) {
    Map<String, byte[]> classes =
        ModuleCompiler.compile(module, "generated.Trap", Map.of()).classes();
    ClassLoader loader =
        new ClassLoader(ChicoryTrapsTest.class.getClassLoader()) {
          @Override
          protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = classes.get(name);
            if (bytes == null) {
              throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
          }
        };
    return instance -> {
      try {
        return (Machine)
            loader.loadClass("generated.Trap").getConstructor(Instance.class).newInstance(instance);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    };
  }

  private static Instance ours(byte[] wasm, ImportValues imports) {
    WasmModule module = Parser.parse(wasm);
    return Instance.builder(module)
        .withImportValues(imports)
        .withMemoryFactory(LinearMemory::new)
        .withTableFactory(FunctionTable::new)
        .withMachineFactory(compile(module))
        .build();
  }

  private static Instance theirs(byte[] wasm, ImportValues imports) {
    WasmModule module = Parser.parse(wasm);
    return Instance.builder(module)
        .withImportValues(imports)
        .withMachineFactory(MachineFactoryCompiler::compile)
        .build();
  }

  private static ImportValues tags() {
    TagType type = new TagType((byte) 0, 0);
    FunctionType signature = FunctionType.of(List.of(ValType.I32), List.of());
    return ImportValues.builder()
        .addTag(new ImportTag("env", "__cpp_exception", new TagInstance(type, signature)))
        .addTag(new ImportTag("env", "__c_longjmp", new TagInstance(type, signature)))
        .build();
  }

  /** Two imported tags of one signature: a longjmp passes a handler of C++ exceptions by. */
  @Test
  void tagsAreToldApartByIdentity() {
    ModuleFactory factory = new ModuleFactory();
    int cpp = factory.importTag("env", "__cpp_exception", I32_IN);
    int longjmp = factory.importTag("env", "__c_longjmp", I32_IN);
    factory.memory(1, 1);
    Block inner = new Block(Opcodes.BLOCK, I32_OUT);
    Block outer = new Block(Opcodes.BLOCK, I32_OUT);
    Block asCpp =
        new Block(
            Opcodes.TRY_TABLE,
            FuncType.VOID,
            List.of(new Op(Opcodes.I32_CONST, 5), new Op(Opcodes.THROW, longjmp)));
    asCpp.catches.add(new CatchClause(cpp, inner));
    Block asLongjmp = new Block(Opcodes.TRY_TABLE, FuncType.VOID);
    inner.bodies.add(List.of(asCpp, new Op(Opcodes.UNREACHABLE)));
    asLongjmp.bodies.add(
        List.of(inner, new Op(Opcodes.DROP), new Op(Opcodes.I32_CONST, 1), new Op(Opcodes.RETURN)));
    asLongjmp.catches.add(new CatchClause(longjmp, outer));
    outer.bodies.add(List.of(asLongjmp, new Op(Opcodes.UNREACHABLE)));
    int function =
        factory.function(
            I32_OUT, List.of(), List.of(outer, new Op(Opcodes.DROP), new Op(Opcodes.I32_CONST, 2)));
    factory.export("f", function);
    byte[] wasm = factory.binary();
    assertEquals(1, theirs(wasm, tags()).export("f").apply()[0], "Chicory changed: drop our fix");
    assertEquals(2, ours(wasm, tags()).export("f").apply()[0]);
  }

  /** A second exception of a tag is thrown and caught before the first is thrown again. */
  @Test
  void twoExceptionsOfOneTagAreInFlight() {
    ModuleFactory factory = new ModuleFactory();
    int tag = factory.tag(I32_IN);
    factory.memory(1, 1);
    Block first = new Block(Opcodes.TRY, FuncType.VOID);
    Block second = new Block(Opcodes.TRY, FuncType.VOID);
    first.bodies.add(List.of(new Op(Opcodes.I32_CONST, 1), new Op(Opcodes.THROW, tag)));
    second.bodies.add(List.of(new Op(Opcodes.I32_CONST, 2), new Op(Opcodes.THROW, tag)));
    second.catchTags.add(CatchClause.ALL);
    second.bodies.add(List.of());
    first.catchTags.add(CatchClause.ALL);
    first.bodies.add(List.of(second, new Branch(Opcodes.RETHROW, first)));
    int function = factory.function(FuncType.VOID, List.of(), List.of(first));
    factory.export("f", function);
    var ir = factory.module().decode(function);
    new LegacyExceptions(factory.module()).apply(ir);
    factory.module().encode(ir);
    Instance instance = ours(factory.binary(), ImportValues.empty());
    WasmException e = assertThrows(WasmException.class, () -> instance.export("f").apply());
    assertArrayEquals(new long[] {1}, e.args());
  }

  /** A function beyond 64 KB of bytecode fails the build instead of being interpreted. */
  @Test
  void nothingIsInterpreted() {
    ModuleFactory factory = new ModuleFactory();
    factory.memory(1, 1);
    List<Instr> body = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      body.add(new Op(Opcodes.LOCAL_GET, 0));
      body.add(new Op(Opcodes.I32_CONST, 1000 + i % 1000));
      body.add(new Op(Opcodes.I32_ADD));
      body.add(new Op(Opcodes.LOCAL_SET, 0));
    }
    factory.export("f", factory.function(I32_IN, List.of(), body));
    WasmModule module = Parser.parse(factory.binary());
    ChicoryException e =
        assertThrows(
            ChicoryException.class, () -> ModuleCompiler.compile(module, "generated.X", Map.of()));
    assertTrue(e.getMessage().contains("exceeds the Java method size"), e.getMessage());
  }

  private static byte[] moduleWithSegment(int value) {
    ModuleFactory factory = new ModuleFactory();
    factory.importMemory("env", "memory", 1, 1);
    factory.passiveData(new byte[] {(byte) value, (byte) value});
    int init =
        factory.function(
            I32_IN,
            List.of(),
            List.of(
                new Op(Opcodes.LOCAL_GET, 0),
                new Op(Opcodes.I32_CONST, 0),
                new Op(Opcodes.I32_CONST, 2),
                new Op(Opcodes.MEMORY_INIT, 0, 0)));
    int drop = factory.function(FuncType.VOID, List.of(), List.of(new Op(Opcodes.DATA_DROP, 0)));
    factory.export("init", init);
    factory.export("drop", drop);
    return factory.binary();
  }

  /** Each module on a memory keeps its own passive segments. */
  @Test
  void modulesOnOneMemoryKeepTheirSegments() {
    LinearMemory memory = new LinearMemory(1, 1);
    ImportValues imports =
        ImportValues.builder().addMemory(new ImportMemory("env", "memory", memory)).build();
    Instance first = ours(moduleWithSegment(11), imports);
    Instance second = ours(moduleWithSegment(22), imports);
    first.export("init").apply(100);
    second.export("init").apply(200);
    assertEquals(11, memory.read(101));
    assertEquals(22, memory.read(201));
    second.export("drop").apply();
    first.export("init").apply(300);
    assertEquals(11, memory.read(301));
    assertThrows(ChicoryException.class, () -> second.export("init").apply(300));
  }

  private static byte[] endlessModule() {
    ModuleFactory factory = new ModuleFactory();
    factory.memory(1, 1);
    Block loop = new Block(Opcodes.LOOP, FuncType.VOID);
    loop.bodies.add(List.of(new Branch(Opcodes.BR, loop)));
    factory.export("loop", factory.function(FuncType.VOID, List.of(), List.of(loop)));
    int recursion = factory.function(I32_IN);
    Block deep = new Block(Opcodes.IF, FuncType.VOID);
    deep.bodies.add(
        List.of(
            new Op(Opcodes.LOCAL_GET, 0),
            new Op(Opcodes.I32_CONST, 1),
            new Op(Opcodes.I32_SUB),
            new Op(Opcodes.CALL, recursion),
            new Op(Opcodes.LOCAL_GET, 0),
            new Op(Opcodes.I32_CONST, 1),
            new Op(Opcodes.I32_SUB),
            new Op(Opcodes.CALL, recursion)));
    factory.define(recursion, List.of(), List.of(new Op(Opcodes.LOCAL_GET, 0), deep));
    factory.export("tree", recursion);
    return factory.binary();
  }

  /** An endless loop and a call tree of 2^60 nodes both end when their thread is stopped. */
  @Test
  void stopSignalEndsLoopsAndCalls() throws InterruptedException {
    Instance instance = ours(endlessModule(), ImportValues.empty());
    for (String function : List.of("loop", "tree")) {
      AtomicReference<Throwable> end = new AtomicReference<>();
      Thread thread =
          new Thread(
              () -> {
                try {
                  instance
                      .export(function)
                      .apply(function.equals("loop") ? new long[0] : new long[] {60});
                } catch (Throwable e) {
                  end.set(e);
                } finally {
                  StopSignal.clear(Thread.currentThread());
                }
              });
      thread.start();
      Thread.sleep(100);
      assertTrue(thread.isAlive());
      StopSignal.raise(thread);
      thread.join(20_000);
      assertInstanceOf(ChicoryInterruptedException.class, end.get(), function);
    }
    // Cleared: nobody else is stopped, not even a thread that is interrupted for other reasons.
    Thread.currentThread().interrupt();
    instance.export("tree").apply(5);
    assertTrue(Thread.interrupted());
  }
}
