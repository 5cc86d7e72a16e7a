package io.pyrunr.dist.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.abort;

import com.dylibso.chicory.runtime.GlobalInstance;
import com.dylibso.chicory.runtime.HostFunction;
import com.dylibso.chicory.runtime.ImportGlobal;
import com.dylibso.chicory.runtime.ImportMemory;
import com.dylibso.chicory.runtime.ImportTable;
import com.dylibso.chicory.runtime.ImportTag;
import com.dylibso.chicory.runtime.ImportValues;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Machine;
import com.dylibso.chicory.runtime.TagInstance;
import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.FunctionImport;
import com.dylibso.chicory.wasm.types.GlobalImport;
import com.dylibso.chicory.wasm.types.Import;
import com.dylibso.chicory.wasm.types.MutabilityType;
import com.dylibso.chicory.wasm.types.Table;
import com.dylibso.chicory.wasm.types.TableImport;
import com.dylibso.chicory.wasm.types.TableLimits;
import com.dylibso.chicory.wasm.types.TagImport;
import com.dylibso.chicory.wasm.types.Value;
import io.pyrunr.wasm.internal.ToolChain;
import io.pyrunr.wasm.internal.ir.IrModule.Kind;
import io.pyrunr.wasm.internal.ir.ModuleReader;
import io.pyrunr.wasm.internal.ir.ModuleWriter;
import io.pyrunr.wasm.internal.jvm.ModuleCompiler;
import io.pyrunr.wasm.internal.pass.split.FunctionSplitter;
import io.pyrunr.wasm.runtime.FunctionTable;
import io.pyrunr.wasm.runtime.LinearMemory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * The tool chain is not made for one Pyodide: the next one, CPython 3.14 with fixed addresses, is
 * laid out, transformed, compiled and linked, and runs C functions. Python is not started on it,
 * and its evaluation loop is not yet cut as small as {@link SizeReport} wants it.
 */
class NextDistributionTest {
  private static final Path PINS = Path.of("src", "test", "npm-314");
  private static final Path WORK = Path.of("target", "npm-314");
  private static final String MACHINE = "io.pyrunr.next.Machine";

  private static Path upstream() throws IOException {
    try {
      return new Upstream(PINS).folder(null, WORK);
    } catch (BuildFailure e) {
      if (System.getenv("CI") != null) {
        throw e;
      }
      return abort("the next Pyodide is not to be had: " + e.getMessage());
    }
  }

  @Test
  void theNextPyodideIsCompiledAndLinked() throws Exception {
    Path source = upstream();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread thread =
        new Thread(
            null,
            () -> {
              try {
                compileAndLink(source);
              } catch (Throwable e) {
                failure.set(e);
              }
            },
            "next-distribution",
            512L << 20);
    thread.start();
    thread.join();
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
  }

  private static void compileAndLink(Path source) throws Exception {
    Map<String, Integer> opcodes =
        Opcodes.of(Files.readAllBytes(source.resolve("python_stdlib.zip")));
    assertEquals(84, opcodes.get("LOAD_FAST"));
    ToolChain.Result result =
        ToolChain.transformMain(
            ModuleReader.read(Files.readAllBytes(source.resolve("pyodide.asm.wasm"))),
            FunctionSplitter.Sizes.DEFAULT,
            opcodes);
    assertEquals(1, result.module().imports(Kind.MEMORY).size());
    assertEquals(2, result.module().imports(Kind.TAG).size());
    assertEquals(1, result.module().imports(Kind.GLOBAL).size(), "the stack pointer alone is left");
    WasmModule module = Parser.parse(ModuleWriter.write(result.module()));
    ModuleCompiler.Compiled compiled = ModuleCompiler.compile(module, MACHINE, result.fields());
    Instance instance = link(module, result, compiled.classes());
    assertEquals("3.14", text(instance, "Py_GetVersion").substring(0, 4));
    LinearMemory memory = (LinearMemory) instance.memory();
    int at = result.link().stackLow();
    memory.write(at, "hello\0".getBytes(StandardCharsets.US_ASCII), 0, 6);
    assertEquals(5, instance.export("strlen").apply(at)[0]);
  }

  private static String text(Instance instance, String function) {
    int at = (int) instance.export(function).apply()[0];
    return ((LinearMemory) instance.memory()).cString(at);
  }

  private static Instance link(
      WasmModule module, ToolChain.Result result, Map<String, byte[]> classes) throws Exception {
    LinearMemory memory =
        new LinearMemory(result.module().imports(Kind.MEMORY).get(0).limitMinimum(), 2048);
    memory.stackPointer = result.link().stackHigh();
    ImportValues.Builder values = ImportValues.builder();
    for (int i = 0; i < module.importSection().importCount(); i++) {
      Import each = module.importSection().getImport(i);
      if (each instanceof FunctionImport function) {
        values.addFunction(
            new HostFunction(
                each.module(),
                each.name(),
                module.typeSection().getType(function.typeIndex()),
                (instance, arguments) -> {
                  throw new IllegalStateException("called " + each.name());
                }));
      } else if (each instanceof GlobalImport) {
        values.addGlobal(
            new ImportGlobal(
                each.module(),
                each.name(),
                new GlobalInstance(Value.i32(memory.stackPointer), MutabilityType.Var)));
      } else if (each instanceof TagImport tag) {
        values.addTag(
            new ImportTag(
                each.module(),
                each.name(),
                new TagInstance(
                    tag.tagType(), module.typeSection().getType(tag.tagType().typeIdx()))));
      } else if (each instanceof TableImport table) {
        memory.table =
            new FunctionTable(
                new Table(table.entryType(), new TableLimits(result.link().tableSize(), 1 << 20)),
                FunctionTable.NULL);
        values.addTable(new ImportTable(each.module(), each.name(), memory.table));
      } else {
        values.addMemory(new ImportMemory(each.module(), each.name(), memory));
      }
    }
    ClassLoader loader =
        new ClassLoader(NextDistributionTest.class.getClassLoader()) {
          @Override
          protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] file = classes.get(name);
            if (file == null) {
              throw new ClassNotFoundException(name);
            }
            return defineClass(name, file, 0, file.length);
          }
        };
    var constructor = loader.loadClass(MACHINE).getConstructor(Instance.class);
    Instance instance =
        Instance.builder(module)
            .withImportValues(values.build())
            .withMachineFactory(
                of -> {
                  try {
                    return (Machine) constructor.newInstance(of);
                  } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(e);
                  }
                })
            .withStart(false)
            .build();
    memory.main = instance;
    return instance;
  }
}
