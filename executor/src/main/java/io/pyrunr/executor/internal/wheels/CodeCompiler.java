package io.pyrunr.executor.internal.wheels;

import io.pyrunr.executor.internal.wheels.archive.BytecodeCompiler;
import java.util.List;
import java.util.Map;

/** Compiles what is in wheels: Python with the Python that will run it, WebAssembly to classes. */
public interface CodeCompiler extends BytecodeCompiler {
  /**
   * Compiles a side module unless that was done before.
   *
   * @return bytes that its classes take on disk
   * @throws IllegalArgumentException if it cannot be used; the message says why
   */
  long compile(SideModuleFile module);

  /**
   * What compiled side modules ask for and neither Python nor one of them has: names of libraries
   * and symbols, for those modules that lack any.
   */
  Map<SideModuleFile, List<String>> undefined(List<SideModuleFile> modules);

  /** Compiles nothing. */
  CodeCompiler NONE =
      new CodeCompiler() {
        @Override
        public Map<String, byte[]> compile(Map<String, byte[]> sources) {
          return Map.of();
        }

        @Override
        public long compile(SideModuleFile module) {
          return 0;
        }

        @Override
        public Map<SideModuleFile, List<String>> undefined(List<SideModuleFile> modules) {
          return Map.of();
        }
      };
}
