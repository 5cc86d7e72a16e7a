package io.pyrunr.wasm.internal.pass;

import static io.pyrunr.wasm.internal.ir.Opcodes.GLOBAL_GET;
import static io.pyrunr.wasm.internal.ir.Opcodes.GLOBAL_SET;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_CONST;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_EQZ;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_SUB;
import static io.pyrunr.wasm.internal.ir.Opcodes.IF;
import static io.pyrunr.wasm.internal.ir.Opcodes.LOCAL_GET;
import static io.pyrunr.wasm.internal.ir.Opcodes.SELECT;
import static io.pyrunr.wasm.internal.ir.Opcodes.UNREACHABLE;
import static io.pyrunr.wasm.internal.ir.ValueType.F32;
import static io.pyrunr.wasm.internal.ir.ValueType.F64;
import static io.pyrunr.wasm.internal.ir.ValueType.I32;
import static io.pyrunr.wasm.internal.ir.ValueType.I64;

import io.pyrunr.wasm.internal.ir.FuncType;
import io.pyrunr.wasm.internal.ir.Instr;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.ModuleFactory;
import io.pyrunr.wasm.internal.ir.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A valid module of random functions that always ends: each loop round and each call takes fuel
 * from a global, and without fuel they trap.
 *
 * <p>NaNs are made zero wherever their bits could be seen, because engines choose them freely.
 */
final class RandomModule {
  static final List<ValueType> TYPES = List.of(I32, I64, F32, F64);

  /** Tags. The first two have the same type, as Emscripten's two have. */
  static final List<FuncType> TAGS =
      List.of(
          new FuncType(List.of(I32), List.of()),
          new FuncType(List.of(I32), List.of()),
          FuncType.VOID,
          new FuncType(List.of(F64, I64), List.of()));

  static final int PAGES = 1;
  static final int MAXIMUM_PAGES = 3;
  static final int TABLE_SIZE = 12;
  static final int FUEL = 0;
  static final int FIRST_GLOBAL = 1;
  static final int GLOBALS = 5;

  final ModuleFactory factory = new ModuleFactory();
  final List<Integer> functions = new ArrayList<>();
  final boolean legacy;
  final boolean compilable;
  final int host;
  final int plainF32;
  final int plainF64;
  private final Random random;

  /**
   * Makes a module.
   *
   * @param legacy with legacy exception handling, else with {@code try_table}
   * @param compilable without what Chicory 1.7.5's compiler refuses, in a class that does not
   *     verify or an error of its own: parameters of {@code block} and {@code if} and branches to
   *     the function's own label. LLVM and binaryen make neither
   * @param count of functions
   * @param size about how many instructions each has
   */
  RandomModule(long seed, boolean legacy, boolean compilable, int count, int size) {
    this.random = new Random(seed);
    this.legacy = legacy;
    this.compilable = compilable;
    host = factory.importFunction("env", "mix", new FuncType(List.of(I32, I64), List.of(I32)));
    factory.memory(PAGES, MAXIMUM_PAGES);
    factory.table(TABLE_SIZE);
    TAGS.forEach(factory::tag);
    factory.global(I32);
    TYPES.forEach(factory::global);
    byte[] data = new byte[3000];
    random.nextBytes(data);
    factory.data(1000, data);
    plainF32 = plain(F32, 0x5b);
    plainF64 = plain(F64, 0x61);
    for (int i = 0; i < count; i++) {
      FuncType type = new FuncType(types(random.nextInt(5)), types(results()));
      int function = factory.function(type);
      new RandomFunction(this, random, function, size).define();
      functions.add(function);
      factory.export("f" + i, function);
    }
    List<Integer> elements = new ArrayList<>();
    for (int i = 1; i < TABLE_SIZE - 2; i++) {
      elements.add(functions.get(random.nextInt(functions.size())));
    }
    factory.elements(1, elements);
  }

  private int results() {
    int choice = random.nextInt(10);
    return choice < 3 ? 0 : choice < 9 ? 1 : 2;
  }

  List<ValueType> types(int count) {
    List<ValueType> types = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      types.add(TYPES.get(random.nextInt(4)));
    }
    return types;
  }

  /** A function that makes zero of NaN. */
  private int plain(ValueType type, int equal) {
    int zero = type == F32 ? 0x43 : 0x44;
    return factory.function(
        new FuncType(List.of(type), List.of(type)),
        List.of(),
        List.of(
            new Op(LOCAL_GET, 0),
            new Op(zero),
            new Op(LOCAL_GET, 0),
            new Op(LOCAL_GET, 0),
            new Op(equal),
            new Op(SELECT)));
  }

  /** Traps without fuel, else takes some. */
  static void burn(List<Instr> out) {
    out.add(new Op(GLOBAL_GET, FUEL));
    out.add(new Op(I32_EQZ));
    out.add(new Block(IF, FuncType.VOID, new ArrayList<>(List.of(new Op(UNREACHABLE)))));
    out.add(new Op(GLOBAL_GET, FUEL));
    out.add(new Op(I32_CONST, 1));
    out.add(new Op(I32_SUB));
    out.add(new Op(GLOBAL_SET, FUEL));
  }
}
