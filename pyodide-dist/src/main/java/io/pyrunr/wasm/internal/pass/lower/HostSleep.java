package io.pyrunr.wasm.internal.pass.lower;

import io.pyrunr.wasm.format.WasmFormatException;
import io.pyrunr.wasm.internal.ir.FuncType;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.IrFunction;
import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.ir.Opcodes;
import io.pyrunr.wasm.internal.ir.ValueType;
import io.pyrunr.wasm.internal.pass.FunctionPass;
import java.util.List;

/**
 * Lets {@code emscripten_thread_sleep} call the host. Emscripten's single-threaded runtime spins on
 * the clock there, which would keep a core busy for as long as a job sleeps.
 */
public final class HostSleep implements FunctionPass {
  /** The import that takes over: milliseconds in, nothing out. */
  public static final String MODULE = "pyrunr";

  public static final String NAME = "sleep";

  private static final FuncType TYPE = new FuncType(List.of(ValueType.F64), List.of());

  private final int function;
  private final int sleep;

  public HostSleep(IrModule module) {
    function = module.exportedFunction("emscripten_thread_sleep");
    if (function >= 0 && !module.functionType(function).equals(TYPE)) {
      throw new WasmFormatException("emscripten_thread_sleep is not of type (f64) -> ()");
    }
    sleep = function < 0 ? -1 : module.addFunctionImport(MODULE, NAME, TYPE);
  }

  @Override
  public void apply(IrFunction candidate) {
    if (candidate.index() == function) {
      candidate.setBody(
          new Block(
              Opcodes.BLOCK,
              FuncType.VOID,
              List.of(new Op(Opcodes.LOCAL_GET, 0), new Op(Opcodes.CALL, sleep))));
    }
  }
}
