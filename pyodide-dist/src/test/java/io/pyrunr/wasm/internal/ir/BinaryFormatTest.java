package io.pyrunr.wasm.internal.ir;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.dylibso.chicory.wasm.Parser;
import io.pyrunr.wasm.format.WasmFormatException;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.Instr.Branch;
import io.pyrunr.wasm.internal.ir.Instr.CatchClause;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BinaryFormatTest {
  private static final FuncType I32_TO_I32 =
      new FuncType(List.of(ValueType.I32), List.of(ValueType.I32));

  /** Every section, and most forms of block, clause and immediate. */
  private static ModuleFactory everything() {
    ModuleFactory factory = new ModuleFactory();
    int host = factory.importFunction("env", "host", I32_TO_I32);
    factory.importGlobal("env", "base", ValueType.I32, false);
    factory.importTag("env", "tag", new FuncType(List.of(ValueType.I32), List.of()));
    factory.memory(1, 2);
    factory.table(4);
    int tag = factory.tag(FuncType.VOID);
    int global = factory.global(ValueType.F64);
    Block legacy = new Block(Opcodes.TRY, FuncType.VOID);
    legacy.bodies.add(List.of(new Op(Opcodes.THROW, tag)));
    legacy.catchTags.addAll(List.of(0, CatchClause.ALL));
    legacy.bodies.add(List.of(new Op(Opcodes.DROP)));
    legacy.bodies.add(List.of(new Branch(Opcodes.RETHROW, legacy)));
    Block outer = new Block(Opcodes.BLOCK, FuncType.VOID);
    Block delegating = new Block(Opcodes.TRY, FuncType.VOID, List.of());
    delegating.delegate = outer;
    outer.bodies.add(
        List.of(delegating, new Op(Opcodes.I32_CONST, 0), new Branch(Opcodes.BR_IF, outer)));
    Block when = new Block(Opcodes.IF, new FuncType(List.of(), List.of(ValueType.I64)));
    when.bodies.add(List.of(new Op(Opcodes.I64_CONST, Long.MIN_VALUE)));
    when.bodies.add(List.of(new Op(Opcodes.I64_CONST, -1)));
    int function =
        factory.function(
            I32_TO_I32,
            List.of(ValueType.F64, ValueType.F64, ValueType.I64),
            List.of(
                legacy,
                outer,
                new Op(Opcodes.LOCAL_GET, 0),
                when,
                new Op(Opcodes.LOCAL_SET, 3),
                new Op(Opcodes.F64_CONST, Double.doubleToRawLongBits(-0.5)),
                new Op(Opcodes.GLOBAL_SET, global),
                new Op(Opcodes.LOCAL_GET, 0),
                new Op(0x2d, 0, 0xffff_ffffL),
                new Op(Opcodes.CALL, host)));
    factory.elements(1, List.of(function, host));
    factory.export("f", function);
    factory.data(8, new byte[] {1, 2, 3});
    factory.passiveData(new byte[300]);
    factory.custom("name", new byte[] {9});
    return factory;
  }

  private static byte[] rewritten(byte[] wasm) {
    IrModule module = ModuleReader.read(wasm);
    for (int i = module.importedFunctionCount(); i < module.functionCount(); i++) {
      module.encode(module.decode(i));
    }
    return ModuleWriter.write(module);
  }

  @Test
  void whatWasWrittenIsReadAndWrittenTheSame() {
    byte[] wasm = everything().binary();
    assertArrayEquals(wasm, rewritten(wasm));
  }

  /** A function's body may only differ by dead code, so a second round changes nothing. */
  @Test
  void upstreamModuleSurvivesARoundTrip() throws IOException {
    Path upstream = Path.of("target/npm/node_modules/pyodide/pyodide.asm.wasm");
    assumeTrue(Files.exists(upstream), "the build has not fetched Pyodide");
    byte[] wasm = Files.readAllBytes(upstream);
    IrModule module = ModuleReader.read(wasm);
    int same = 0;
    int count = module.functionCount() - module.importedFunctionCount();
    for (int i = module.importedFunctionCount(); i < module.functionCount(); i++) {
      byte[] before = module.bodies.get(i - module.importedFunctionCount());
      module.encode(module.decode(i));
      byte[] once = module.bodies.get(i - module.importedFunctionCount());
      same += Arrays.equals(before, once) ? 1 : 0;
      module.encode(module.decode(i));
      assertArrayEquals(once, module.bodies.get(i - module.importedFunctionCount()));
    }
    assertTrue(same > count * 9 / 10, same + " of " + count + " unchanged");
    byte[] written = ModuleWriter.write(module);
    assertArrayEquals(written, ModuleWriter.write(ModuleReader.read(written)));
  }

  private static void readAll(byte[] wasm) {
    IrModule module = ModuleReader.read(wasm);
    for (int i = module.importedFunctionCount(); i < module.functionCount(); i++) {
      module.decode(i);
    }
  }

  @Test
  void truncatedModulesAreRefused() {
    byte[] wasm = everything().binary();
    for (int length = 0; length < wasm.length; length++) {
      byte[] part = Arrays.copyOf(wasm, length);
      try {
        readAll(part);
      } catch (WasmFormatException expected) {
        continue;
      }
      // Cut between sections, after the bodies.
      assertTrue(ModuleReader.read(part).bodies.size() <= 1);
    }
  }

  @Test
  void damagedModulesAreReadOrRefused() {
    byte[] wasm = everything().binary();
    Random random = new Random(7);
    int rounds = Integer.getInteger("pyrunr.fuzz.flips", 20_000);
    for (int round = 0; round < rounds; round++) {
      byte[] damaged = wasm.clone();
      for (int i = random.nextInt(3); i >= 0; i--) {
        damaged[8 + random.nextInt(wasm.length - 8)] = (byte) random.nextInt(256);
      }
      try {
        readAll(damaged);
      } catch (WasmFormatException expected) {
        // the only exception there may be
      }
    }
  }

  @Test
  void nestingHasALimit() {
    for (int depth : new int[] {1_000, 3_001, 200_000}) {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      body.write(0);
      for (int i = 0; i < depth; i++) {
        body.write(Opcodes.BLOCK);
        body.write(0x40);
      }
      for (int i = 0; i <= depth; i++) {
        body.write(Opcodes.END);
      }
      ModuleFactory factory = new ModuleFactory();
      int function = factory.function(FuncType.VOID);
      factory.module().bodies.set(0, body.toByteArray());
      if (depth < 3_000) {
        assertEquals(1, factory.module().decode(function).body().body().size());
      } else {
        assertThrows(WasmFormatException.class, () -> factory.module().decode(function));
      }
    }
  }

  /** Chicory reads type 64 in a block type as "nothing in, nothing out", code 0x40. */
  @Test
  void blockTypesAvoidIndex64() {
    ModuleFactory factory = new ModuleFactory();
    for (int i = 0; i < 100; i++) {
      List<ValueType> params = new ArrayList<>();
      for (int bit = 0; bit < 7; bit++) {
        params.add((i >> bit & 1) == 0 ? ValueType.I32 : ValueType.I64);
      }
      factory.module().typeIndex(new FuncType(params, List.of()));
    }
    FuncType pair = new FuncType(List.of(), List.of(ValueType.I32, ValueType.I32));
    IrModule module = factory.module();
    module.types.set(64, pair);
    Block block = new Block(Opcodes.BLOCK, pair);
    block.bodies.add(List.of(new Op(Opcodes.I32_CONST, 1), new Op(Opcodes.I32_CONST, 2)));
    int function =
        factory.function(
            new FuncType(List.of(), List.of(ValueType.I32)),
            List.of(),
            List.of(block, new Op(Opcodes.I32_ADD)));
    factory.export("f", function);
    Instr again = module.decode(function).body().body().get(0);
    assertEquals(pair, ((Block) again).type);
    Parser.parse(factory.binary()); // validates: would not if the block left nothing
  }
}
