package io.pyrunr.executor.internal.interpreter;

import io.pyrunr.executor.Limits;
import io.pyrunr.wasm.runtime.StopSignal;
import java.time.Duration;
import java.util.function.IntConsumer;

/**
 * Ends the current job of one interpreter: first politely, by a Python signal whose handler raises
 * an exception, so that {@code finally} blocks run; after {@link Limits#GRACE} by force, which also
 * ends C loops and sleeps.
 *
 * <p>Thread-safe: the watchdog and whoever cancels a job meet the interpreter's thread here.
 */
final class JobStopper implements Watchdog.Watched {
  /** {@code SIGXCPU}, which the bootstrap turns into {@code TimeLimitExceeded}. */
  static final int TIME_LIMIT = 24;

  /**
   * {@code SIGXFSZ}, which the bootstrap turns into {@code JobCancelled}: a signal that nothing
   * else sends, so that {@code SIGTERM} is the job's own.
   */
  static final int CANCEL = 25;

  /** A force stop that some host code swallowed is repeated. */
  private static final long REPEAT_NANOS = Duration.ofMillis(200).toNanos();

  private enum Stage {
    IDLE,
    RUNNING,
    ASKED,
    FORCED
  }

  private final Watchdog watchdog = Watchdog.shared();
  private final Thread thread;
  private final IntConsumer signal;
  private volatile long deadline = Watchdog.NEVER;
  private Stage stage = Stage.IDLE;
  private boolean timeOver;
  private boolean asked;
  private boolean unwanted;
  private int raised;

  /**
   * @param thread runs the interpreter
   * @param signal makes a signal pending in the interpreter; called from any thread
   */
  JobStopper(Thread thread, IntConsumer signal) {
    this.thread = thread;
    this.signal = signal;
    watchdog.add(this);
  }

  /** A job begins. */
  synchronized void start(Duration wallTime) {
    stage = Stage.RUNNING;
    timeOver = false;
    asked = false;
    setDeadline(watchdog.now() + Math.min(wallTime.toNanos(), Long.MAX_VALUE / 4));
    if (unwanted) {
      ask(CANCEL);
    }
  }

  /**
   * The job has ended; nothing stops the thread from here on. Called on the interpreter's thread,
   * whose interrupt flag is clear afterwards, even if a listener or a stranger set it.
   */
  synchronized void finish() {
    stage = Stage.IDLE;
    unwanted = false;
    deadline = Watchdog.NEVER;
    for (; raised > 0; raised--) {
      StopSignal.clear(thread);
    }
    Thread.interrupted();
  }

  /** Whether somebody or something asked the last job to stop, in time or too late. */
  synchronized boolean asked() {
    return asked;
  }

  /** Whether the last job's wall time ran out while it ran. */
  synchronized boolean timeOver() {
    return timeOver;
  }

  /** Stops the job that runs, or is about to start, because nobody wants it any more. */
  synchronized void cancel() {
    unwanted = true;
    if (stage == Stage.RUNNING) {
      ask(CANCEL);
    }
  }

  @Override
  public long deadline() {
    return deadline;
  }

  @Override
  public synchronized void expire() {
    if (watchdog.now() < deadline) {
      return; // that job ended, and another began, since the watchdog looked
    }
    switch (stage) {
      case IDLE -> {}
      case RUNNING -> {
        timeOver = true;
        ask(TIME_LIMIT);
      }
      case ASKED, FORCED -> {
        stage = Stage.FORCED;
        raised++;
        StopSignal.raise(thread);
        setDeadline(watchdog.now() + REPEAT_NANOS);
      }
    }
  }

  /** The interpreter is gone. */
  void close() {
    watchdog.remove(this);
  }

  private void ask(int number) {
    stage = Stage.ASKED;
    asked = true;
    setDeadline(watchdog.now() + Limits.GRACE.toNanos());
    signal.accept(number);
  }

  private void setDeadline(long value) {
    deadline = value;
    watchdog.deadlineSet(value);
  }
}
