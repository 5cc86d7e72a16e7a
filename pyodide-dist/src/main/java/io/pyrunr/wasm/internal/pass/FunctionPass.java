package io.pyrunr.wasm.internal.pass;

import io.pyrunr.wasm.internal.ir.IrFunction;

/** Rewrites one function at a time, in place. */
public interface FunctionPass {
  void apply(IrFunction function);
}
