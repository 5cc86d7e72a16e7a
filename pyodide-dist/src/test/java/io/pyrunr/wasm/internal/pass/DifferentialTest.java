package io.pyrunr.wasm.internal.pass;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.dylibso.chicory.wasm.Parser;
import io.pyrunr.wasm.internal.ir.IrFunction;
import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.ir.ModuleReader;
import io.pyrunr.wasm.internal.ir.ModuleWriter;
import io.pyrunr.wasm.internal.ir.ValueType;
import io.pyrunr.wasm.internal.jvm.ModuleCompiler;
import io.pyrunr.wasm.internal.pass.lower.EmptyStacks;
import io.pyrunr.wasm.internal.pass.lower.LegacyExceptions;
import io.pyrunr.wasm.internal.pass.split.FunctionSplitter;
import io.pyrunr.wasm.internal.pass.split.FunctionSplitter.Sizes;
import io.pyrunr.wasm.internal.pass.split.HotCases;
import io.pyrunr.wasm.internal.pass.split.LocalOrder;
import io.pyrunr.wasm.internal.pass.split.Registers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Random modules mean the same before and after the passes, in every engine.
 *
 * <p>{@code -Dpyrunr.fuzz.modules=N} runs N modules per test instead of the default, {@code
 * -Dpyrunr.fuzz.seed=S} starts elsewhere. A failure names the seed that repeats it.
 */
class DifferentialTest {
  private static final int MODULES = Integer.getInteger("pyrunr.fuzz.modules", 40);
  private static final long SEED = Long.getLong("pyrunr.fuzz.seed", 1);
  private static final int FUEL = 250;

  /** Small enough to split small functions in many ways. */
  static final List<Sizes> SIZES =
      List.of(
          new Sizes(120, 20, 200, 100, 8, 30),
          new Sizes(150, 60, 300, 200, 16, 60),
          new Sizes(300, 150, 250, 150, 30, 80),
          new Sizes(80, 10, 400, 200, 12, 40));

  record Transformed(byte[] wasm, Map<Integer, String> registers, int parts) {}

  static Transformed transform(byte[] wasm, Sizes sizes) {
    IrModule module = ModuleReader.read(wasm);
    int functions = module.functionCount();
    LegacyExceptions exceptions = new LegacyExceptions(module);
    EmptyStacks stacks = new EmptyStacks(module);
    List<IrFunction> decoded = new ArrayList<>();
    for (int i = module.importedFunctionCount(); i < functions; i++) {
      IrFunction function = module.decode(i);
      exceptions.apply(function);
      stacks.apply(function);
      decoded.add(function);
    }
    if (sizes == null) {
      decoded.forEach(module::encode);
      return new Transformed(ModuleWriter.write(module), Map.of(), 0);
    }
    Registers registers = new Registers(module);
    // Some cases of every switch are hot; which ones must not matter.
    Map<Integer, List<Integer>> hotCases = new HashMap<>();
    Random random = new Random(wasm.length);
    for (IrFunction function : decoded) {
      if (random.nextBoolean()) {
        hotCases.put(function.index(), random.ints(5, 0, 14).distinct().boxed().toList());
      }
    }
    HotCases hot = new HotCases(hotCases, 2 * sizes.group());
    FunctionSplitter splitter = new FunctionSplitter(module, registers, sizes, hot);
    LocalOrder order = new LocalOrder();
    int parts = 0;
    for (IrFunction function : decoded) {
      List<IrFunction> all = new ArrayList<>(List.of(function));
      all.addAll(splitter.split(function));
      parts += all.size() - 1;
      for (IrFunction each : all) {
        order.apply(each);
        module.encode(each);
      }
    }
    return new Transformed(ModuleWriter.write(module), registers.names(), parts);
  }

  private final Map<String, Integer> outcomes = new TreeMap<>();

  /** Runs the same calls everywhere; engines other than the first must agree with it. */
  private void compare(long seed, byte[] wasm, Map<String, Engines.Engine> engines) {
    IrModule module = ModuleReader.read(wasm);
    Random random = new Random(seed ^ 0x5eed);
    for (int call = 0; call < 24; call++) {
      int number = call % 4;
      List<ValueType> params = module.functionType(module.exportedFunction("f" + number)).params();
      long[] args = params.stream().mapToLong(type -> argument(type, random)).toArray();
      String reference = null;
      Engines.Outcome expected = null;
      for (Map.Entry<String, Engines.Engine> engine : engines.entrySet()) {
        Engines.Outcome actual = engine.getValue().call(number, args);
        if (expected == null) {
          expected = actual;
          reference = engine.getKey();
          outcomes.merge(actual.result().split(" ")[0], 1, Integer::sum);
        } else if (expected.difference(actual) != null) {
          fail(
              "seed %d, call %d of f%d(%s): %s against %s: %s"
                  .formatted(
                      seed,
                      call,
                      number,
                      Engines.show(params, args),
                      reference,
                      engine.getKey(),
                      expected.difference(actual)));
        }
      }
    }
  }

  private static long argument(ValueType type, Random random) {
    int small = random.nextInt(24) - 4;
    return switch (type) {
      case I32 -> random.nextInt(4) == 0 ? random.nextInt() : small;
      case I64 -> random.nextInt(4) == 0 ? random.nextLong() : small;
      case F32 -> Float.floatToRawIntBits(small / 4f);
      default -> Double.doubleToRawLongBits(small / 4.0);
    };
  }

  /** The oracle itself: where Chicory's interpreter can follow, both agree. */
  @Test
  void evaluatorAgreesWithChicory() throws InterruptedException {
    onBigStack(this::evaluatorAndInterpreter);
  }

  private void evaluatorAndInterpreter() {
    for (long seed = SEED; seed < SEED + MODULES; seed++) {
      byte[] wasm = new RandomModule(seed, false, false, 4, 250).factory.binary();
      Map<String, Engines.Engine> engines = new LinkedHashMap<>();
      engines.put("evaluator", Engines.evaluator(wasm, FUEL));
      engines.put("interpreter", Engines.interpreter(wasm, FUEL));
      compare(seed, wasm, engines);
    }
    assertTrue(outcomes.get("returned") > MODULES * 4);
  }

  @Test
  void splitFunctionsMeanTheSame() throws InterruptedException {
    onBigStack(() -> differential(false, 1000));
  }

  @Test
  void legacyExceptionsMeanTheSame() throws InterruptedException {
    onBigStack(() -> differential(true, 2_000_000));
  }

  /** The evaluator and Chicory's interpreter nest deeply. */
  private static void onBigStack(Runnable test) throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread thread = new Thread(null, test, "differential", 512L << 20);
    thread.setUncaughtExceptionHandler((failed, e) -> failure.set(e));
    thread.start();
    thread.join();
    if (failure.get() != null) {
      throw new AssertionError(failure.get().getMessage(), failure.get());
    }
  }

  private void differential(boolean legacy, int offset) {
    int parts = 0;
    for (long seed = SEED + offset; seed < SEED + offset + MODULES; seed++) {
      byte[] wasm = new RandomModule(seed, legacy, true, 4, 250).factory.binary();
      Sizes sizes = SIZES.get((int) (seed % SIZES.size()));
      try {
        Transformed split = transform(wasm, sizes);
        parts += split.parts();
        Map<String, Engines.Engine> engines = new LinkedHashMap<>();
        engines.put("original, evaluator", Engines.evaluator(wasm, FUEL));
        engines.put("split, evaluator", Engines.evaluator(split.wasm(), FUEL));
        engines.put("split, compiled", Engines.compiled(split.wasm(), split.registers(), FUEL));
        compare(seed, wasm, engines);
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
    assertTrue(parts > MODULES * 4, "too few parts: " + parts);
  }

  /** New objects have new identity hashes, so an order taken from one would show. */
  @Test
  void outputIsTheSameEachTime() throws InterruptedException {
    onBigStack(
        () -> {
          for (long seed = SEED; seed < SEED + 2; seed++) {
            byte[] wasm = new RandomModule(seed, true, true, 4, 1500).factory.binary();
            Sizes sizes = SIZES.get((int) (seed % SIZES.size()));
            Transformed once = transform(wasm, sizes);
            Transformed twice = transform(wasm, sizes);
            assertArrayEquals(once.wasm(), twice.wasm(), "seed " + seed);
            Map<String, byte[]> classes =
                ModuleCompiler.compile(Parser.parse(once.wasm()), "generated.Same", Map.of())
                    .classes();
            ModuleCompiler.compile(Parser.parse(twice.wasm()), "generated.Same", Map.of())
                .classes()
                .forEach((name, bytes) -> assertArrayEquals(bytes, classes.get(name), name));
          }
        });
  }
}
