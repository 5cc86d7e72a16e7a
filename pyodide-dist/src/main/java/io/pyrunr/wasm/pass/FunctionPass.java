package io.pyrunr.wasm.pass;

import io.pyrunr.wasm.ir.IrFunction;

/** Rewrites one function at a time, in place. */
public interface FunctionPass {
  void apply(IrFunction function);
}
