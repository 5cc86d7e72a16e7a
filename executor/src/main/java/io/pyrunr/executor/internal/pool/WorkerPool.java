package io.pyrunr.executor.internal.pool;

import io.pyrunr.executor.PythonJob;
import io.pyrunr.executor.internal.interpreter.Interpreter;
import io.pyrunr.executor.internal.interpreter.InterpreterFactory;
import io.pyrunr.executor.internal.interpreter.InterpreterStatistics;
import io.pyrunr.executor.internal.io.BigStackThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.LoggerFactory;

/**
 * Interpreters on threads of their own, fed from one bounded queue.
 *
 * <p>The first worker that needs a boot image makes it; the others wait for it and load it. If an
 * interpreter cannot be started, the whole pool fails its jobs with the reason: half a pool would
 * only hide it. Thread-safe.
 */
public final class WorkerPool {
  private final InterpreterFactory factory;
  private final JobQueue queue;
  private final List<Worker> workers = new ArrayList<>();
  private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
  private volatile boolean closing;

  public WorkerPool(InterpreterFactory factory, int workerCount, int queueCapacity) {
    this.factory = factory;
    queue = new JobQueue(queueCapacity);
    for (int i = 1; i <= workerCount; i++) {
      workers.add(new Worker(i));
    }
    workers.forEach(worker -> worker.thread.start());
  }

  /**
   * Queues a job, waiting while the queue is full. Interrupted while it waits, it keeps the
   * thread's interrupt flag set and returns a cancelled future.
   *
   * <p>A worker, on which actions of futures run, does not wait: it is what makes room.
   *
   * @throws RejectedExecutionException if the pool is closed
   */
  public JobFuture submit(PythonJob job) {
    JobFuture future = new JobFuture(job);
    try {
      queue.put(future, isWorker());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      future.cancel(false);
    }
    return future;
  }

  /**
   * Lets queued and running jobs end, and refuses new ones; workers that are still starting, with
   * no job waiting for them, give that up. Interrupted while it waits, it stops them instead, and
   * keeps the thread's interrupt flag set.
   *
   * @throws IllegalStateException on a worker's own thread
   */
  public void close() {
    requireNoWorker("close");
    closing = true;
    queue.close(null);
    if (queue.isEmpty()) {
      workers.forEach(Worker::giveUpStart);
    }
    boolean interrupted = false;
    for (Worker worker : workers) {
      while (worker.thread.isAlive()) {
        try {
          worker.thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
          queue.drain().forEach(job -> job.cancel(false));
          workers.forEach(Worker::cancel);
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Refuses to wait for workers on one of them, as an action of a job's future would.
   *
   * @throws IllegalStateException on a worker's own thread
   */
  public void requireNoWorker(String method) {
    if (isWorker()) {
      throw new IllegalStateException(
          method
              + "() would wait for the thread it is called on: an action of a job's future runs on"
              + " the interpreter's; use the …Async form of it");
    }
  }

  private boolean isWorker() {
    Thread thread = Thread.currentThread();
    return workers.stream().anyMatch(worker -> worker.thread == thread);
  }

  /** Completes with the reason when interpreters cannot run, or cannot any more. */
  public CompletableFuture<Throwable> failure() {
    return failure.copy();
  }

  /**
   * Ends all.
   *
   * @param taken a job that is in no queue any more, or null
   */
  private void fail(JobFuture taken, Throwable reason) {
    queue.close(reason);
    failure.complete(reason);
    if (taken != null) {
      cannotRun(taken, reason);
    }
    queue.drain().forEach(job -> cannotRun(job, reason));
  }

  private static void cannotRun(JobFuture job, Throwable reason) {
    job.completeExceptionally(
        new RejectedExecutionException("the job cannot run: " + reason.getMessage(), reason));
  }

  /** How many there are. */
  public int workers() {
    return workers.size();
  }

  /** Sums over all workers; each figure may be a job old. */
  public InterpreterStatistics statistics() {
    InterpreterStatistics all = InterpreterStatistics.NONE;
    for (Worker worker : workers) {
      all = all.plus(worker.statistics());
    }
    return all;
  }

  private final class Worker implements Runnable {
    final Thread thread;
    private volatile Interpreter interpreter;
    private volatile boolean hasStarted;
    private volatile JobFuture current;
    private volatile InterpreterStatistics retired = InterpreterStatistics.NONE;

    Worker(int number) {
      thread = BigStackThread.of(this, "pyrunr-worker-" + number);
    }

    @Override
    public void run() {
      JobFuture next = null;
      try {
        do {
          next = runWithOneInterpreter(next);
        } while (next != null);
      } catch (InterruptedException e) {
        // Nobody interrupts a worker between two jobs; if it happens, it is to end the thread.
        if (!closing) {
          fail(next, new IllegalStateException("a worker thread was interrupted"));
        }
      } catch (RuntimeException | Error e) {
        if (hasStarted) {
          LoggerFactory.getLogger(WorkerPool.class).error("Python cannot run any further", e);
        }
        fail(next, !hasStarted && isOutOfMemory(e) ? tooSmall(e) : e);
      }
    }

    /** In a class's initializer it is known by name only to those who come later. */
    private static boolean isOutOfMemory(Throwable e) {
      return e != null
          && (e.toString().contains(OutOfMemoryError.class.getName())
              || isOutOfMemory(e.getCause()));
    }

    private static IllegalStateException tooSmall(Throwable e) {
      long megabytes = Runtime.getRuntime().maxMemory() >> 20;
      return new IllegalStateException(
          "the JVM's heap of " + megabytes + " MB is too small for Python; enlarge it with -Xmx",
          e);
    }

    /**
     * Runs jobs until there are other wheels or no more jobs.
     *
     * @param first a job that was taken already, or null
     * @return a job that was taken and is for another interpreter, or null at the end
     */
    private JobFuture runWithOneInterpreter(JobFuture first) throws InterruptedException {
      try (Interpreter started = start(first)) {
        if (started == null) {
          return queue.take();
        }
        interpreter = started;
        hasStarted = true;
        for (JobFuture next = first != null ? first : queue.take();
            next != null;
            next = queue.take()) {
          if (!factory.isCurrent(started) && next != first) {
            return next;
          }
          current = next;
          next.runOn(started);
          current = null;
        }
        return null;
      } finally {
        retire();
      }
    }

    /** An interpreter, or null if there is no room for it now: then it is the job that fails. */
    private Interpreter start(JobFuture first) {
      try {
        return factory.start();
      } catch (OutOfMemoryError e) {
        if (first == null) {
          throw e;
        }
        cannotRun(first, e);
        return null;
      }
    }

    private void retire() {
      Interpreter old = interpreter;
      if (old != null) {
        interpreter = null;
        retired = retired.plus(old.statistics());
      }
    }

    InterpreterStatistics statistics() {
      Interpreter now = interpreter;
      InterpreterStatistics earlier = retired;
      return now == null ? earlier : earlier.plus(now.statistics());
    }

    /** Nobody waits for an interpreter that is not there yet; compiling wheels may take minutes. */
    void giveUpStart() {
      if (!hasStarted) {
        thread.interrupt();
      }
    }

    void cancel() {
      JobFuture running = current;
      if (running != null) {
        running.cancel(true);
      }
    }
  }
}
