package io.pyrunr.executor.internal.emscripten;

/** What host functions need of the module they serve. */
public interface GuestExports {
  /** Calls an exported function; returns its result, or 0 if it has none. */
  long call(String function, long... args);

  /** Address of an exported datum. */
  int address(String symbol);

  /**
   * Calls the function at {@code index} of the table with as many of {@code args} as it takes.
   *
   * @return its result, or 0 if it has none
   */
  long callTable(int index, long... args);
}
