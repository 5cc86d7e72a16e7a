package io.pyrunr.wasm.internal;

import io.pyrunr.wasm.internal.ir.IrFunction;
import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.jvm.GlobalRegister;
import io.pyrunr.wasm.internal.pass.FunctionPass;
import io.pyrunr.wasm.internal.pass.link.ChangingGlobals;
import io.pyrunr.wasm.internal.pass.link.DataRelocations;
import io.pyrunr.wasm.internal.pass.link.LinkTimeConstants;
import io.pyrunr.wasm.internal.pass.link.MainLayout;
import io.pyrunr.wasm.internal.pass.link.RelocationTable;
import io.pyrunr.wasm.internal.pass.lower.EmptyStacks;
import io.pyrunr.wasm.internal.pass.lower.HostSleep;
import io.pyrunr.wasm.internal.pass.lower.LegacyExceptions;
import io.pyrunr.wasm.internal.pass.split.EvalLoop;
import io.pyrunr.wasm.internal.pass.split.FunctionSplitter;
import io.pyrunr.wasm.internal.pass.split.HotCases;
import io.pyrunr.wasm.internal.pass.split.LocalOrder;
import io.pyrunr.wasm.internal.pass.split.Registers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The passes in their order, for a main module and for the side modules it loads.
 *
 * <ol>
 *   <li>{@link HostSleep}, {@link LegacyExceptions}, {@link EmptyStacks}, {@link
 *       LinkTimeConstants}, {@link DataRelocations}: what the module means on this host;
 *   <li>{@link FunctionSplitter}, {@link LocalOrder}: shapes the JVM compiles well.
 * </ol>
 */
public final class ToolChain {
  /**
   * The outcome.
   *
   * @param module every body encoded, ready to be written
   * @param link where things stand; null for a side module, whose place the loader decides
   * @param registers the globals that hold a split function's registers, by global index
   * @param split the functions that were split
   */
  public record Result(
      IrModule module,
      MainLayout link,
      Map<Integer, String> registers,
      List<FunctionSplitter.Report> split) {

    /** All globals that compiled code keeps in fields: the stack pointer and the registers. */
    public Map<Integer, GlobalRegister> fields() {
      Map<Integer, GlobalRegister> fields = new TreeMap<>();
      List<IrModule.Import> globals = module.imports(IrModule.Kind.GLOBAL);
      for (int i = 0; i < globals.size(); i++) {
        if (globals.get(i).name().equals("__stack_pointer")) {
          fields.put(i, new GlobalRegister("stackPointer", 'I'));
        }
      }
      registers.forEach(
          (global, name) -> {
            char letter = name.charAt(0);
            char descriptor = letter == 'l' ? 'J' : Character.toUpperCase(letter);
            fields.put(global, new GlobalRegister(name, descriptor));
          });
      return fields;
    }
  }

  private ToolChain() {}

  /**
   * Transforms a main module in place.
   *
   * @param opcodes numbers by name, of the CPython in it
   */
  public static Result transformMain(
      IrModule module, FunctionSplitter.Sizes sizes, Map<String, Integer> opcodes) {
    MainLayout link = MainLayout.of(module);
    LinkTimeConstants constants = new LinkTimeConstants(module, link);
    List<FunctionPass> passes =
        List.of(
            new HostSleep(module), // adds an import, so it must come before any encoding
            new LegacyExceptions(module),
            new EmptyStacks(module),
            constants,
            new DataRelocations(module, link.memoryBase()));
    List<IrFunction> functions = apply(passes, module);
    constants.finish();
    return shape(functions, module, link, sizes, EvalLoop.hotCases(module, opcodes));
  }

  /** Transforms a side module in place. */
  public static Result transformSide(IrModule module, FunctionSplitter.Sizes sizes) {
    ChangingGlobals globals = new ChangingGlobals(module);
    List<FunctionPass> passes =
        List.of(
            globals,
            new RelocationTable(module),
            new LegacyExceptions(module),
            new EmptyStacks(module));
    List<IrFunction> functions = apply(passes, module);
    globals.finish();
    return shape(functions, module, null, sizes, HotCases.NONE);
  }

  private static List<IrFunction> apply(List<FunctionPass> passes, IrModule module) {
    List<IrFunction> functions = new ArrayList<>();
    int end = module.functionCount();
    for (int function = module.importedFunctionCount(); function < end; function++) {
      IrFunction ir = module.decode(function);
      passes.forEach(pass -> pass.apply(ir));
      functions.add(ir);
    }
    return functions;
  }

  private static Result shape(
      List<IrFunction> functions,
      IrModule module,
      MainLayout link,
      FunctionSplitter.Sizes sizes,
      HotCases hot) {
    Registers registers = new Registers(module);
    FunctionSplitter splitter = new FunctionSplitter(module, registers, sizes, hot);
    LocalOrder order = new LocalOrder();
    for (IrFunction function : functions) {
      List<IrFunction> all = new ArrayList<>(List.of(function));
      all.addAll(splitter.split(function));
      for (IrFunction each : all) {
        order.apply(each);
        module.encode(each);
      }
    }
    return new Result(module, link, registers.names(), splitter.reports());
  }
}
