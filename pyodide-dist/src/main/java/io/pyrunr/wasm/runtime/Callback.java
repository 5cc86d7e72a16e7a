package io.pyrunr.wasm.runtime;

/** A function of the host that compiled code calls by way of a table. */
@FunctionalInterface
public interface Callback {
  /**
   * Calls it.
   *
   * @param arguments raw wasm values
   * @return its result as a raw wasm value; of no meaning if its type has none
   */
  long call(long[] arguments, LinearMemory memory);
}
