package io.pyrunr.executor.internal.emscripten;

import io.pyrunr.wasm.runtime.StopSignal;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets the interpreter's thread wait. The watchdog ends a wait in two ways: a pending signal makes
 * it return early, an interrupt of the thread ends the interpreter.
 */
final class Sleeper {
  /** How long a signal may go unnoticed. */
  private static final long SLICE = TimeUnit.MILLISECONDS.toNanos(4);

  private final Signals signals;

  Sleeper(Signals signals) {
    this.signals = signals;
  }

  /**
   * Waits.
   *
   * @param nanos how long; {@link Long#MAX_VALUE} is for ever
   * @return false if a signal came first
   */
  boolean sleep(long nanos) {
    long start = System.nanoTime();
    while (true) {
      StopSignal.stopIfInterrupted();
      if (signals.pending()) {
        return false;
      }
      long left = nanos - (System.nanoTime() - start);
      if (left <= 0) {
        return true;
      }
      LockSupport.parkNanos(this, Math.min(left, SLICE));
    }
  }
}
