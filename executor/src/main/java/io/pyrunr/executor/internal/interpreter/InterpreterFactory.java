package io.pyrunr.executor.internal.interpreter;

import io.pyrunr.executor.internal.image.PreparedPython;
import io.pyrunr.executor.internal.io.BigStackThread;

/**
 * Makes interpreters of one kind. The first one starts Python and leaves its boot image behind; all
 * others, in the whole JVM, load that. Thread-safe.
 */
public final class InterpreterFactory {
  private final int recycleAfter;
  private volatile PreparedPython prepared;

  /**
   * Prepares interpreters.
   *
   * @param prepared what they are made of
   * @param recycleAfter jobs between two restores
   */
  public InterpreterFactory(PreparedPython prepared, int recycleAfter) {
    this.prepared = prepared;
    this.recycleAfter = recycleAfter;
  }

  /**
   * Makes the interpreters that start from now on of something else. Returns when its image is
   * there; until then they start as before.
   *
   * @throws IllegalStateException if Python cannot start with it; nothing has changed then
   */
  public void switchTo(PreparedPython next) throws InterruptedException {
    try {
      BigStackThread.run(next::image, "pyrunr-image");
    } catch (RuntimeException | Error e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
    prepared = next;
  }

  /** Whether an interpreter is such as {@link #start} would make it now. */
  public boolean isCurrent(Interpreter interpreter) {
    return interpreter.isOf(prepared);
  }

  /**
   * Makes an interpreter that belongs to the calling thread, which must be a {@link
   * BigStackThread}.
   *
   * @throws IllegalStateException if Python cannot start
   */
  public Interpreter start() {
    return new Interpreter(prepared, recycleAfter);
  }
}
