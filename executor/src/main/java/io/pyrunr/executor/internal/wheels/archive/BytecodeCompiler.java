package io.pyrunr.executor.internal.wheels.archive;

import java.util.Map;

/** Compiles Python sources with the Python that will run them. */
@FunctionalInterface
public interface BytecodeCompiler extends AutoCloseable {
  /**
   * Compiles modules.
   *
   * @param sources by the path they will have in an interpreter
   * @return contents of the {@code .pyc} file of each source that is valid, by the same path
   * @throws IllegalStateException if Python cannot run
   */
  Map<String, byte[]> compile(Map<String, byte[]> sources) throws InterruptedException;

  /** Frees what compiling took. */
  @Override
  default void close() {}
}
