package io.pyrunr.executor.internal.emscripten;

/** A host function: arguments and results are raw wasm values. */
@FunctionalInterface
public interface HostCall {
  /** Calls it; the array has as many results as its type, none or one. */
  long[] call(long... arguments);
}
