package io.pyrunr.wasm.runtime;

import com.dylibso.chicory.runtime.ChicoryInterruptedException;

/**
 * Stops compiled wasm where it polls next: at the head of a loop, or where a function begins that
 * calls others.
 *
 * <p>That is often, so the poll has to be cheap. Chicory reads the current thread's interrupt flag
 * each time; here a single static flag is read, and only while some thread of the JVM is to be
 * stopped does every poll look at its own thread's interrupt flag.
 *
 * <p>Thread-safe.
 */
public final class StopSignal {
  private static volatile boolean pending;
  private static int raised;

  private StopSignal() {}

  /**
   * Interrupts {@code thread}; the wasm it runs ends with a {@link ChicoryInterruptedException}.
   */
  public static synchronized void raise(Thread thread) {
    raised++;
    pending = true;
    thread.interrupt();
  }

  /** To be called once per {@link #raise} after the stopped thread has unwound; clears its flag. */
  public static synchronized void clear(Thread thread) {
    if (thread == Thread.currentThread()) {
      Thread.interrupted();
    }
    if (raised > 0 && --raised == 0) {
      pending = false;
    }
  }

  /** Polled by compiled code. */
  public static void poll() {
    if (pending) {
      stopIfInterrupted();
    }
  }

  /**
   * Stops what runs on this thread if it is to be stopped; for host functions that wait.
   *
   * @throws ChicoryInterruptedException then
   */
  public static void stopIfInterrupted() {
    if (Thread.currentThread().isInterrupted()) {
      throw new ChicoryInterruptedException("stopped");
    }
  }
}
