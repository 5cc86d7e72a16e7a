package io.pyrunr.executor.internal.python;

import com.dylibso.chicory.runtime.ChicoryInterruptedException;
import com.dylibso.chicory.runtime.TrapException;
import com.dylibso.chicory.runtime.WasmRuntimeException;
import com.dylibso.chicory.wasm.ChicoryException;

/** What ended a call into Python that did not return, as far as the wasm runtime knows. */
public enum Unwinding {
  /** The thread was to be stopped, and compiled code or a waiting host function noticed. */
  STOPPED,
  /** A trap: wasm's own end of a program that does what it must not. */
  TRAP,
  /**
   * The same, noticed by the JVM in its own way: compiled code leaves some checks to it. Looks like
   * a mistake of the host's that strikes in the middle of something, so nothing is sure afterwards.
   */
  FAULT,
  /** The host's own failure. */
  OTHER;

  public static Unwinding of(Throwable thrown) {
    if (thrown instanceof ChicoryInterruptedException) {
      return STOPPED;
    }
    if (thrown instanceof TrapException || thrown instanceof WasmRuntimeException) {
      return TRAP;
    }
    return thrown instanceof ChicoryException
            || thrown instanceof IndexOutOfBoundsException
            || thrown instanceof ArithmeticException
            || thrown instanceof ClassCastException
        ? FAULT
        : OTHER;
  }

  /** Why a program was ended by a trap or fault, in the words of wasm and not of the JVM. */
  public static String reason(Throwable thrown) {
    if (thrown instanceof IndexOutOfBoundsException) {
      return "out of bounds memory access";
    }
    if (thrown instanceof ArithmeticException) {
      return "integer divide by zero";
    }
    if (thrown instanceof ClassCastException) {
      return "indirect call type mismatch";
    }
    return thrown.getMessage() == null ? thrown.getClass().getSimpleName() : thrown.getMessage();
  }
}
