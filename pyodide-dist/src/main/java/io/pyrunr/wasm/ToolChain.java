package io.pyrunr.wasm;

import io.pyrunr.wasm.ir.IrFunction;
import io.pyrunr.wasm.ir.IrModule;
import io.pyrunr.wasm.pass.CallTrampoline;
import io.pyrunr.wasm.pass.DataRelocations;
import io.pyrunr.wasm.pass.EmptyStackTries;
import io.pyrunr.wasm.pass.EvalLoop;
import io.pyrunr.wasm.pass.FunctionPass;
import io.pyrunr.wasm.pass.FunctionSplitter;
import io.pyrunr.wasm.pass.HostSleep;
import io.pyrunr.wasm.pass.IndirectCallDispatch;
import io.pyrunr.wasm.pass.LegacyExceptions;
import io.pyrunr.wasm.pass.LinkTimeConstants;
import io.pyrunr.wasm.pass.LocalOrder;
import io.pyrunr.wasm.pass.Registers;
import io.pyrunr.wasm.pass.StaticLink;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The passes in their order, for a main module.
 *
 * <ol>
 *   <li>{@link HostSleep}, {@link LegacyExceptions}, {@link EmptyStackTries}, {@link
 *       LinkTimeConstants}, {@link DataRelocations}: what the module means on this host;
 *   <li>{@link CallTrampoline}, {@link IndirectCallDispatch}: calls through the table;
 *   <li>{@link FunctionSplitter}, {@link LocalOrder}: shapes the JVM compiles well.
 * </ol>
 */
public final class ToolChain {
  /**
   * The outcome.
   *
   * @param module every body encoded, ready to be written
   * @param link where things stand
   * @param registers global indices with the register each holds
   * @param split the functions that were split
   */
  public record Result(
      IrModule module,
      StaticLink link,
      Map<Integer, String> registers,
      List<FunctionSplitter.Report> split) {}

  private ToolChain() {}

  /** Transforms {@code module} in place. */
  public static Result transformMain(IrModule module, FunctionSplitter.Sizes sizes) {
    int functions = module.functionCount();
    int first = module.importedFunctionCount();
    StaticLink link = new StaticLink(module);
    LinkTimeConstants constants = new LinkTimeConstants(module, link);
    List<FunctionPass> passes = new ArrayList<>();
    passes.add(new HostSleep(module)); // adds an import, so it must come before any encoding
    passes.add(new LegacyExceptions(module));
    passes.add(new EmptyStackTries(module));
    passes.add(constants);
    passes.add(new DataRelocations(module, link.memoryBase()));
    List<IrFunction> decoded = new ArrayList<>();
    for (int function = first; function < functions; function++) {
      IrFunction ir = module.decode(function);
      passes.forEach(pass -> pass.apply(ir));
      decoded.add(ir);
    }
    constants.finish();

    Registers registers = new Registers(module);
    CallTrampoline trampoline = new CallTrampoline(module);
    IndirectCallDispatch dispatch = new IndirectCallDispatch(module);
    FunctionSplitter splitter =
        new FunctionSplitter(module, registers, sizes, EvalLoop.hotCases(module));
    LocalOrder order = new LocalOrder();
    for (IrFunction function : decoded) {
      trampoline.apply(function);
      dispatch.apply(function);
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
