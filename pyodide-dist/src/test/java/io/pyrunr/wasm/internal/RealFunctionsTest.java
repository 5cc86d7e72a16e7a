package io.pyrunr.wasm.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.dylibso.chicory.runtime.ByteArrayMemory;
import com.dylibso.chicory.runtime.GlobalInstance;
import com.dylibso.chicory.runtime.HostFunction;
import com.dylibso.chicory.runtime.ImportGlobal;
import com.dylibso.chicory.runtime.ImportMemory;
import com.dylibso.chicory.runtime.ImportTable;
import com.dylibso.chicory.runtime.ImportTag;
import com.dylibso.chicory.runtime.ImportValues;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Machine;
import com.dylibso.chicory.runtime.Memory;
import com.dylibso.chicory.runtime.TagInstance;
import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.FunctionImport;
import com.dylibso.chicory.wasm.types.FunctionType;
import com.dylibso.chicory.wasm.types.MemoryLimits;
import com.dylibso.chicory.wasm.types.MutabilityType;
import com.dylibso.chicory.wasm.types.Table;
import com.dylibso.chicory.wasm.types.TableLimits;
import com.dylibso.chicory.wasm.types.TagType;
import com.dylibso.chicory.wasm.types.ValType;
import com.dylibso.chicory.wasm.types.Value;
import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.wasm.internal.ir.IrFunction;
import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.ir.ModuleReader;
import io.pyrunr.wasm.internal.ir.ModuleWriter;
import io.pyrunr.wasm.internal.pass.link.LinkTimeConstants;
import io.pyrunr.wasm.internal.pass.link.MainLayout;
import io.pyrunr.wasm.internal.pass.lower.LegacyExceptions;
import io.pyrunr.wasm.runtime.FunctionTable;
import io.pyrunr.wasm.runtime.LinearMemory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Functions of Pyodide's main module that call nothing of the host: linked but otherwise as
 * upstream made them, in Chicory's interpreter, against all passes and the compiler. After each
 * call the whole memories are equal.
 */
class RealFunctionsTest {
  private static final Path UPSTREAM =
      Path.of("target", "npm", "node_modules", "pyodide", "pyodide.asm.wasm");
  private static final int PAGES = 320;
  private static final int TEXT = 200 << 16;

  private record Side(Instance instance, Memory memory) {
    long call(String name, long... args) {
      long[] results = instance.export(name).apply(args);
      return results == null || results.length == 0 ? 0 : results[0];
    }
  }

  private static Side start(
      WasmModule module,
      Memory memory,
      int tableSize,
      int stackHigh,
      Function<Instance, Machine> machine) {
    ImportValues.Builder imports = ImportValues.builder();
    module.importSection().stream()
        .filter(FunctionImport.class::isInstance)
        .map(FunctionImport.class::cast)
        .forEach(
            function ->
                imports.addFunction(
                    new HostFunction(
                        function.module(),
                        function.name(),
                        module.typeSection().getType(function.typeIndex()),
                        (instance, args) -> {
                          throw new IllegalStateException(function.name() + " was called");
                        })));
    FunctionType tag = FunctionType.of(List.of(ValType.I32), List.of());
    for (String name : List.of("__cpp_exception", "__c_longjmp")) {
      imports.addTag(new ImportTag("env", name, new TagInstance(new TagType((byte) 0, 0), tag)));
    }
    TableLimits limits = new TableLimits(tableSize, tableSize);
    imports.addTable(
        new ImportTable(
            "env",
            "__indirect_function_table",
            new FunctionTable(new Table(ValType.FuncRef, limits), Value.REF_NULL_VALUE)));
    imports.addMemory(new ImportMemory("env", "memory", memory));
    imports.addGlobal(
        new ImportGlobal(
            "env",
            "__stack_pointer",
            new GlobalInstance(Value.i32(stackHigh), MutabilityType.Var)));
    Instance.Builder builder = Instance.builder(module).withImportValues(imports.build());
    if (machine != null) {
      builder.withMachineFactory(machine);
    }
    return new Side(builder.build(), memory);
  }

  private static Side reference() throws IOException {
    IrModule module = ModuleReader.read(Files.readAllBytes(UPSTREAM));
    MainLayout link = MainLayout.of(module);
    LinkTimeConstants constants = new LinkTimeConstants(module, link);
    LegacyExceptions exceptions = new LegacyExceptions(module);
    List<IrFunction> functions = new ArrayList<>();
    for (int i = module.importedFunctionCount(); i < module.functionCount(); i++) {
      IrFunction function = module.decode(i);
      exceptions.apply(function); // which Chicory cannot read
      constants.apply(function);
      functions.add(function);
    }
    constants.finish();
    functions.forEach(module::encode);
    WasmModule parsed =
        Parser.builder().withValidation(false).build().parse(ModuleWriter.write(module));
    Memory memory = new ByteArrayMemory(new MemoryLimits(PAGES, PAGES));
    Side side = start(parsed, memory, link.tableSize(), link.stackHigh(), null);
    side.call("__wasm_apply_data_relocs");
    return side;
  }

  private static Side product() {
    PyodideDistribution distribution = PyodideDistribution.bundled();
    LinearMemory memory = new LinearMemory(PAGES, PAGES);
    memory.stackPointer = distribution.layout().stackHigh();
    Side side =
        start(
            distribution.module(),
            memory,
            distribution.layout().tableSize(),
            distribution.layout().stackHigh(),
            distribution.machineFactory());
    side.call("__wasm_apply_data_relocs");
    return side;
  }

  @Test
  void compiledFunctionsDoWhatUpstreamsDo() throws IOException {
    assumeTrue(Files.exists(UPSTREAM), "the build has not fetched Pyodide");
    Side reference = reference();
    Side product = product();
    assertSameMemory("start", reference, product);
    byte[] text = new byte[5000];
    Random random = new Random(3);
    for (int i = 0; i < text.length; i++) {
      text[i] = (byte) (random.nextInt(6) == 0 ? random.nextInt(255) + 1 : "abcd".charAt(i % 4));
    }
    text[4999] = 0;
    put(TEXT, text, reference, product);
    int other = TEXT + 8192;
    put(other, text, reference, product);
    int length = other + 8192;
    int packed = length + 64;
    int unpacked = packed + 16384;

    same(reference, product, "strlen", TEXT);
    same(reference, product, "memchr", TEXT, 'd', 5000);
    same(reference, product, "memchr", TEXT, 0, 5000);
    same(reference, product, "memcmp", TEXT, other, 5000);
    same(reference, product, "strcmp", TEXT + 1, other);
    same(reference, product, "memcpy", TEXT + 17, other, 3001);
    same(reference, product, "crc32", 0, TEXT, 4999);
    same(reference, product, "adler32", 1, TEXT, 4999);
    same(reference, product, "_Py_HashBytes", TEXT, 4000);
    assertSameMemory("string functions", reference, product);
    for (String number :
        new String[] {"3.14159e-5", "-0x1.8p3", "inf", "1e400", "17", "", "nope"}) {
      put(length, (number + "\0").getBytes(StandardCharsets.US_ASCII), reference, product);
      same(reference, product, "strtod", length, length + 48);
      same(reference, product, "strtol", length, length + 48, 0);
    }
    double[] values = {0, -0.0, 0.5, -1.25, 3e10, 1e-300, 1e300, Double.NaN, 700};
    for (double value : values) {
      long bits = Double.doubleToRawLongBits(value);
      for (String name : new String[] {"sin", "exp", "log", "erf", "tgamma"}) {
        assertEquals(
            Double.longBitsToDouble(reference.call(name, bits)),
            Double.longBitsToDouble(product.call(name, bits)),
            name + " of " + value);
      }
      same(reference, product, "pow", bits, Double.doubleToRawLongBits(1.5));
    }
    assertSameMemory("mathematics", reference, product);
    // Whole compressors, with malloc, tables of function pointers and deep loops.
    put(length, new byte[] {0, 0x30, 0, 0}, reference, product);
    same(reference, product, "compress2", packed, length, TEXT, 4999, 6);
    int size = reference.memory().readInt(length);
    put(length, new byte[] {0, 0x20, 0, 0}, reference, product);
    same(reference, product, "uncompress", unpacked, length, packed, size);
    assertArrayEquals(
        reference.memory().readBytes(TEXT, 4999), product.memory().readBytes(unpacked, 4999));
    put(length, new byte[] {0, 0x30, 0, 0}, reference, product);
    same(reference, product, "BZ2_bzBuffToBuffCompress", packed, length, TEXT, 4999, 1, 0, 0);
    size = reference.memory().readInt(length);
    put(length, new byte[] {0, 0x20, 0, 0}, reference, product);
    same(reference, product, "BZ2_bzBuffToBuffDecompress", unpacked, length, packed, size, 0, 0);
    assertArrayEquals(
        reference.memory().readBytes(TEXT, 4999), product.memory().readBytes(unpacked, 4999));
    assertSameMemory("bzip2", reference, product);
  }

  private static void put(int at, byte[] bytes, Side... sides) {
    for (Side side : sides) {
      side.memory().write(at, bytes, 0, bytes.length);
    }
  }

  private static void same(Side reference, Side product, String name, long... args) {
    assertEquals(reference.call(name, args), product.call(name, args), name);
  }

  private static void assertSameMemory(String after, Side reference, Side product) {
    assertArrayEquals(
        reference.memory().readBytes(0, PAGES << 16),
        product.memory().readBytes(0, PAGES << 16),
        "memory after " + after);
  }
}
