package io.pyrunr.executor.internal.python;

import com.dylibso.chicory.runtime.ChicoryInterruptedException;
import com.dylibso.chicory.runtime.TrapException;
import com.dylibso.chicory.runtime.WasmRuntimeException;

/** What ended a call into Python that did not return, as far as the wasm runtime knows. */
public enum Unwinding {
  /** The thread was to be stopped, and compiled code or a waiting host function noticed. */
  STOPPED,
  /** A trap: wasm's own end of a program that does what it must not. */
  TRAP,
  /** Anything else. */
  OTHER;

  public static Unwinding of(Throwable thrown) {
    if (thrown instanceof ChicoryInterruptedException) {
      return STOPPED;
    }
    return thrown instanceof TrapException || thrown instanceof WasmRuntimeException ? TRAP : OTHER;
  }
}
