package io.pyrunr.wasm.internal.pass;

import com.dylibso.chicory.runtime.ByteArrayMemory;
import com.dylibso.chicory.runtime.HostFunction;
import com.dylibso.chicory.runtime.ImportValues;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Machine;
import com.dylibso.chicory.runtime.WasmException;
import com.dylibso.chicory.wasm.ChicoryException;
import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.types.FunctionType;
import com.dylibso.chicory.wasm.types.ValType;
import io.pyrunr.wasm.internal.ir.FuncType;
import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.ir.ModuleReader;
import io.pyrunr.wasm.internal.ir.ValueType;
import io.pyrunr.wasm.internal.jvm.GlobalRegister;
import io.pyrunr.wasm.internal.jvm.ModuleCompiler;
import io.pyrunr.wasm.runtime.FunctionTable;
import io.pyrunr.wasm.runtime.LinearMemory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Ways to run one and the same module. */
final class Engines {
  private Engines() {}

  /** What a call led to, with all that it left behind. */
  record Outcome(String result, List<String> globals, byte[] memory) {
    String difference(Outcome other) {
      if (!result.equals(other.result)) {
        return result + " but " + other.result;
      }
      if (!globals.equals(other.globals)) {
        return result + ", globals " + globals + " but " + other.globals;
      }
      int at = Arrays.mismatch(memory, other.memory);
      return at < 0 ? null : result + ", memory differs at " + at;
    }
  }

  /** A running instance of a {@link RandomModule}. */
  interface Engine {
    Outcome call(int number, long[] args);
  }

  /** {@code env.mix}. */
  private static long mix(long a, long b) {
    return (int) (a * 31 + (b ^ (b >>> 17)));
  }

  static String show(ValueType type, long bits) {
    return switch (type) {
      case I32 -> Integer.toString((int) bits);
      case F32 -> Float.toString(Float.intBitsToFloat((int) bits));
      case F64 -> Double.toString(Double.longBitsToDouble(bits));
      default -> Long.toString(bits);
    };
  }

  static String show(List<ValueType> types, long[] values) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < types.size(); i++) {
      text.append(' ').append(show(types.get(i), values[i]));
    }
    return text.toString();
  }

  private static String thrown(int tag, long[] payload) {
    return "threw " + tag + show(RandomModule.TAGS.get(tag).params(), payload);
  }

  private static List<String> globals(Function<Integer, Long> read) {
    return RandomModule.TYPES.stream()
        .map(
            type -> {
              int index = RandomModule.FIRST_GLOBAL + RandomModule.TYPES.indexOf(type);
              return show(type, read.apply(index));
            })
        .toList();
  }

  static Engine evaluator(byte[] wasm, int fuel) {
    IrModule module = ModuleReader.read(wasm);
    Evaluator evaluator =
        new Evaluator(
            module,
            RandomModule.PAGES,
            RandomModule.MAXIMUM_PAGES,
            List.of(args -> new long[] {mix(args[0], args[1])}));
    module
        .data()
        .forEach(
            segment ->
                System.arraycopy(
                    segment.bytes(),
                    0,
                    evaluator.memory,
                    segment.offset().get(0).index(),
                    segment.bytes().length));
    return (number, args) -> {
      int function = module.exportedFunction("f" + number);
      evaluator.globals[RandomModule.FUEL] = fuel;
      String result;
      try {
        result =
            "returned"
                + show(module.functionType(function).results(), evaluator.call(function, args));
      } catch (Evaluator.Trap e) {
        result = "trapped";
      } catch (Evaluator.Thrown e) {
        result = thrown(e.tag, e.payload);
      }
      return new Outcome(
          result, globals(index -> evaluator.globals[index]), evaluator.memory.clone());
    };
  }

  static Engine interpreter(byte[] wasm, int fuel) {
    Instance instance =
        Instance.builder(Parser.parse(wasm))
            .withImportValues(imports())
            .withMemoryFactory(ByteArrayMemory::new)
            .build();
    return chicory(wasm, instance, fuel);
  }

  static Engine compiled(byte[] wasm, Map<Integer, String> registers, int fuel) {
    var module = Parser.parse(wasm);
    Map<Integer, GlobalRegister> fields = new HashMap<>();
    registers.forEach(
        (global, name) -> {
          char letter = name.charAt(0) == 'l' ? 'J' : Character.toUpperCase(name.charAt(0));
          fields.put(global, new GlobalRegister(name, letter));
        });
    Map<String, byte[]> classes =
        ModuleCompiler.compile(module, "generated.Machine", fields).classes();
    Instance instance =
        Instance.builder(module)
            .withImportValues(imports())
            .withMemoryFactory(LinearMemory::new)
            .withTableFactory(FunctionTable::new)
            .withMachineFactory(machineFactory(classes, "generated.Machine"))
            .build();
    return chicory(wasm, instance, fuel);
  }

  static Function<Instance, Machine> machineFactory(Map<String, byte[]> classes, String name) {
    ClassLoader loader =
        new ClassLoader(Engines.class.getClassLoader()) {
          @Override
          protected Class<?> findClass(String wanted) throws ClassNotFoundException {
            byte[] bytes = classes.get(wanted);
            if (bytes == null) {
              throw new ClassNotFoundException(wanted);
            }
            return defineClass(wanted, bytes, 0, bytes.length);
          }
        };
    return instance -> {
      try {
        return (Machine)
            loader.loadClass(name).getConstructor(Instance.class).newInstance(instance);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    };
  }

  private static ImportValues imports() {
    return ImportValues.builder()
        .addFunction(
            new HostFunction(
                "env",
                "mix",
                FunctionType.of(List.of(ValType.I32, ValType.I64), List.of(ValType.I32)),
                (instance, args) -> new long[] {mix((int) args[0], args[1])}))
        .build();
  }

  private static Engine chicory(byte[] wasm, Instance instance, int fuel) {
    IrModule module = ModuleReader.read(wasm);
    return (number, args) -> {
      FuncType type = module.functionType(module.exportedFunction("f" + number));
      instance.global(RandomModule.FUEL).setValue(fuel);
      String result;
      try {
        long[] values = instance.export("f" + number).apply(args);
        result = "returned" + show(type.results(), values);
      } catch (WasmException e) {
        result = thrown(e.tagIdx(), e.args());
      } catch (ChicoryException | ArithmeticException | IndexOutOfBoundsException e) {
        result = "trapped";
      }
      var memory = instance.memory();
      return new Outcome(
          result,
          globals(index -> instance.global(index).getValue()),
          memory.readBytes(0, memory.pages() << 16));
    };
  }
}
