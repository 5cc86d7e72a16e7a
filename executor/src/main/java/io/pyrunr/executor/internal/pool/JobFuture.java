package io.pyrunr.executor.internal.pool;

import io.pyrunr.executor.PythonJob;
import io.pyrunr.executor.PythonResult;
import io.pyrunr.executor.internal.interpreter.Interpreter;
import java.util.concurrent.CompletableFuture;

/** A job on its way. Cancelling it stops the job, wherever it is. Thread-safe. */
public final class JobFuture extends CompletableFuture<PythonResult> {
  private final PythonJob job;
  private Interpreter runningOn;

  JobFuture(PythonJob job) {
    this.job = job;
  }

  PythonJob job() {
    return job;
  }

  /** Runs the job unless it was cancelled before its turn came. */
  void runOn(Interpreter interpreter) {
    synchronized (this) {
      if (isDone()) {
        return;
      }
      runningOn = interpreter;
    }
    try {
      PythonResult result = interpreter.run(job, this::ended);
      complete(result);
    } catch (OutOfMemoryError e) {
      completeExceptionally(e); // no room for the result alone: the interpreter is sound
    } catch (RuntimeException | Error e) {
      completeExceptionally(e);
      throw e;
    } finally {
      ended();
    }
  }

  /** From here on the interpreter may be busy with another job: a late cancel must not hit that. */
  private synchronized void ended() {
    runningOn = null;
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean cancelled = super.cancel(mayInterruptIfRunning);
    synchronized (this) {
      if (cancelled && runningOn != null) {
        runningOn.cancel();
      }
    }
    return cancelled;
  }

  /** Futures derived from this one are plain ones. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
