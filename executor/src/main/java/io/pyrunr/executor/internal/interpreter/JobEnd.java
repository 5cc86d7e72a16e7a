package io.pyrunr.executor.internal.interpreter;

import io.pyrunr.executor.PythonResult.PythonError;
import io.pyrunr.executor.internal.emscripten.HostFailure;
import io.pyrunr.executor.internal.emscripten.ProcessExit;
import io.pyrunr.executor.internal.emscripten.UnsupportedImport;
import io.pyrunr.executor.internal.python.BadReply;
import io.pyrunr.executor.internal.python.Unwinding;

/**
 * How a call into Python came back to Java, if not by returning.
 *
 * @param error what the result says of it; null if the job was stopped by force
 * @param trusted whether a restore makes the instance as good as new. It does after everything that
 *     is thrown at a known point, by wasm or by a host function on purpose. It may not after errors
 *     that can strike anywhere, in the middle of a change to the host's own data
 */
record JobEnd(PythonError error, boolean trusted) {
  static JobEnd of(Throwable thrown) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t instanceof StackOverflowError) {
        return new JobEnd(
            new PythonError("RecursionError", "the interpreter's stack is exhausted", ""), false);
      }
      if (t instanceof OutOfMemoryError) {
        return new JobEnd(
            new PythonError("MemoryError", "the JVM's heap is exhausted: " + t.getMessage(), ""),
            false);
      }
    }
    if (Unwinding.of(thrown) == Unwinding.STOPPED) {
      return new JobEnd(null, true);
    }
    if (thrown instanceof ProcessExit exit) {
      return new JobEnd(
          new PythonError(
              "SystemExit", "the job ended the interpreter with exit code " + exit.code(), ""),
          true);
    }
    if (thrown instanceof UnsupportedImport) {
      return new JobEnd(new PythonError("NotImplementedError", thrown.getMessage(), ""), true);
    }
    if (thrown instanceof HostFailure || thrown instanceof BadReply) {
      return new JobEnd(new PythonError("SystemError", thrown.getMessage(), ""), true);
    }
    return new JobEnd(
        new PythonError("SystemError", "the interpreter crashed: " + reason(thrown), ""),
        Unwinding.of(thrown) == Unwinding.TRAP);
  }

  private static String reason(Throwable thrown) {
    return thrown.getMessage() == null ? thrown.getClass().getSimpleName() : thrown.getMessage();
  }
}
