package io.pyrunr.executor.internal.interpreter;

import io.pyrunr.executor.PythonError;
import io.pyrunr.executor.PythonError.Kind;
import io.pyrunr.executor.internal.emscripten.HostFailure;
import io.pyrunr.executor.internal.emscripten.ProcessExit;
import io.pyrunr.executor.internal.emscripten.UnsupportedImport;
import io.pyrunr.executor.internal.python.BadReply;
import io.pyrunr.executor.internal.python.Unwinding;
import java.util.List;

/**
 * How a call into Python came back to Java, if not by returning.
 *
 * @param error what the result says of it; null if the job was stopped by force
 * @param trusted whether a restore makes the instance as good as new. It does after everything that
 *     is thrown at a known point, by wasm or by a host function on purpose. It may not after errors
 *     that can strike anywhere, in the middle of a change to the host's own data
 */
record JobEnd(PythonError error, boolean trusted) {
  /** Linux's, from 1 on. */
  private static final List<String> SIGNALS =
      List.of(
          ("HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT"
                  + " CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS")
              .split(" "));

  static JobEnd of(Throwable thrown) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t instanceof StackOverflowError) {
        return new JobEnd(
            PythonError.of("RecursionError", "the interpreter's stack is exhausted", ""), false);
      }
      if (t instanceof OutOfMemoryError) {
        return new JobEnd(host("the JVM's heap is exhausted: " + t.getMessage()), false);
      }
    }
    if (Unwinding.of(thrown) == Unwinding.STOPPED) {
      return new JobEnd(null, true);
    }
    if (thrown instanceof ProcessExit exit) {
      return new JobEnd(PythonError.of("SystemExit", exit(exit.code()), ""), true);
    }
    if (thrown instanceof UnsupportedImport) {
      return new JobEnd(PythonError.of("NotImplementedError", thrown.getMessage(), ""), true);
    }
    if (thrown instanceof HostFailure || thrown instanceof BadReply) {
      return new JobEnd(PythonError.of("SystemError", thrown.getMessage(), ""), true);
    }
    Unwinding how = Unwinding.of(thrown);
    if (how == Unwinding.TRAP || how == Unwinding.FAULT) {
      return new JobEnd(
          PythonError.of("SystemError", "the interpreter crashed: " + Unwinding.reason(thrown), ""),
          how == Unwinding.TRAP);
    }
    return new JobEnd(host("the host failed: " + Unwinding.reason(thrown)), false);
  }

  /** Shells tell a process that a signal has ended from others in the same way. */
  private static String exit(int code) {
    String text = "the job ended the interpreter with exit code " + code;
    int signal = code - 128;
    return signal > 0 && signal <= SIGNALS.size()
        ? text + ", that of a process ended by SIG" + SIGNALS.get(signal - 1)
        : text;
  }

  private static PythonError host(String message) {
    return PythonError.of(Kind.HOST, "HostError", message, "");
  }
}
