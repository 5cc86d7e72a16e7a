package io.pyrunr.wasm.internal.pass;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pyrunr.wasm.format.LinkNotes;
import io.pyrunr.wasm.format.LinkNotes.Relocation;
import io.pyrunr.wasm.internal.ir.FuncType;
import io.pyrunr.wasm.internal.ir.Instr;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.IrFunction;
import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.ir.ModuleFactory;
import io.pyrunr.wasm.internal.ir.Opcodes;
import io.pyrunr.wasm.internal.ir.ValueType;
import io.pyrunr.wasm.internal.pass.link.ChangingGlobals;
import io.pyrunr.wasm.internal.pass.link.RelocationTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Relocations as a table store what the code they were taken from stores. */
class RelocationTableTest {
  private static final int PAGES = 1;

  private static ModuleFactory factory() {
    ModuleFactory factory = new ModuleFactory();
    for (String name : List.of("__memory_base", "__table_base", "symbol")) {
      int unused = factory.importGlobal("env", name, ValueType.I32, false);
    }
    factory.memory(PAGES, PAGES);
    return factory;
  }

  private static int define(ModuleFactory factory, List<Instr> code) {
    int function = factory.function(FuncType.VOID, List.of(ValueType.I32, ValueType.I32), code);
    factory.export("__wasm_apply_data_relocs", function);
    return function;
  }

  private static IrFunction apply(IrModule module, int function) {
    IrFunction ir = module.decode(function);
    new RelocationTable(module).apply(ir);
    return ir;
  }

  /** Pushes an address or a value: sums and differences of a global, constants and locals. */
  private static void push(Random random, List<Instr> code, boolean local) {
    code.add(new Op(Opcodes.GLOBAL_GET, random.nextInt(3)));
    for (int terms = random.nextInt(3); terms > 0; terms--) {
      code.add(new Op(Opcodes.I32_CONST, 4 * random.nextInt(200)));
      code.add(new Op(random.nextInt(4) == 0 ? Opcodes.I32_SUB : Opcodes.I32_ADD));
    }
    if (local) {
      code.add(new Op(random.nextBoolean() ? Opcodes.LOCAL_TEE : Opcodes.LOCAL_SET, 0));
      if (code.get(code.size() - 1).opcode() == Opcodes.LOCAL_SET) {
        code.add(new Op(Opcodes.LOCAL_GET, 0));
      }
    }
  }

  @Test
  void randomStoresAreTheSame() {
    Random random = new Random(5);
    for (int round = 0; round < 200; round++) {
      List<Instr> code = new ArrayList<>();
      for (int stores = random.nextInt(20); stores > 0; stores--) {
        push(random, code, random.nextInt(3) == 0);
        push(random, code, random.nextInt(3) == 0);
        code.add(new Op(Opcodes.I32_STORE, 2, 4L * random.nextInt(50)));
      }
      ModuleFactory factory = factory();
      int function = define(factory, code);
      IrModule module = factory.module();
      long[] globals = {8192 + 16 * random.nextInt(100), 6000, 20_000};

      Evaluator evaluator = new Evaluator(module, PAGES, PAGES, List.of());
      System.arraycopy(globals, 0, evaluator.globals, 0, globals.length);
      long[] unused = evaluator.call(function);

      IrFunction left = apply(module, function);
      assertTrue(left.body().body().isEmpty());
      Map<Integer, Integer> stored = new HashMap<>();
      for (Relocation each : LinkNotes.read(module.customs()::get).relocations()) {
        stored.put(
            sum(globals, each.addressGlobal(), each.addressOffset()),
            sum(globals, each.valueGlobal(), each.valueOffset()));
      }
      byte[] expected = new byte[PAGES << 16];
      stored.forEach(
          (address, value) -> {
            for (int i = 0; i < 4; i++) {
              expected[address + i] = (byte) (value >>> (8 * i));
            }
          });
      assertEquals(-1, Arrays.mismatch(expected, evaluator.memory), "round " + round);
    }
  }

  private static int sum(long[] globals, int global, int offset) {
    return (global < 0 ? 0 : (int) globals[global]) + offset;
  }

  @Test
  void codeThatIsMoreThanALineOfStoresStays() {
    for (List<Instr> code :
        List.<List<Instr>>of(
            List.of(new Block(Opcodes.BLOCK, FuncType.VOID, new ArrayList<>())),
            List.of(
                new Op(Opcodes.GLOBAL_GET, 0),
                new Op(Opcodes.GLOBAL_GET, 1),
                new Op(Opcodes.GLOBAL_GET, 2),
                new Op(Opcodes.I32_ADD),
                new Op(Opcodes.I32_STORE, 2, 0)))) {
      ModuleFactory factory = factory();
      int function = define(factory, code);
      IrFunction left = apply(factory.module(), function);
      assertEquals(code.size(), left.body().body().size());
      assertNull(factory.module().customs().get(LinkNotes.RELOCATIONS));
    }
  }

  /** State is what code sets that runs later; addresses are set by the start function only. */
  @Test
  void onlyGlobalsThatCodeSetsAreState() {
    ModuleFactory factory = new ModuleFactory();
    int imported = factory.importGlobal("env", "__stack_pointer", ValueType.I32, true);
    int address = factory.global(ValueType.I32);
    int state = factory.global(ValueType.I32);
    for (int global : new int[] {imported, state}) {
      int unused =
          factory.function(
              FuncType.VOID,
              List.of(),
              List.of(new Op(Opcodes.I32_CONST, 1), new Op(Opcodes.GLOBAL_SET, global)));
    }
    assertTrue(address != state);
    IrModule module = factory.module();
    ChangingGlobals globals = new ChangingGlobals(module);
    for (int i = 0; i < module.functionCount(); i++) {
      globals.apply(module.decode(i));
    }
    globals.finish();
    assertEquals(List.of(state), LinkNotes.read(module.customs()::get).changingGlobals());
  }
}
