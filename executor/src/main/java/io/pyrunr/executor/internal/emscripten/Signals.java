package io.pyrunr.executor.internal.emscripten;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Signals sent to the interpreter from outside. The evaluation loop asks for them now and then
 * (each fiftieth time that it looks for events), and a sleep ends when one arrives.
 *
 * <p>{@link #request} may be called from any thread.
 */
public final class Signals {
  /** What Python turns into {@code KeyboardInterrupt}. */
  public static final int SIGINT = 2;

  private final AtomicInteger requested = new AtomicInteger();

  /** Asks the interpreter to handle a signal. One is kept: the latest. */
  public void request(int signal) {
    requested.set(signal);
  }

  /** Forgets a request that was not taken yet. */
  public void clear() {
    requested.set(0);
  }

  boolean pending() {
    return requested.get() != 0;
  }

  /** Takes the request; 0 if there is none. */
  int take() {
    return requested.get() == 0 ? 0 : requested.getAndSet(0);
  }
}
