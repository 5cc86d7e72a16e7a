package io.pyrunr.executor;

import static java.util.Objects.requireNonNull;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.bytecode.ModuleBytecode;
import io.pyrunr.executor.internal.image.PreparedPython;
import io.pyrunr.executor.internal.interpreter.InterpreterFactory;
import io.pyrunr.executor.internal.interpreter.InterpreterStatistics;
import io.pyrunr.executor.internal.io.CacheHome;
import io.pyrunr.executor.internal.pool.WorkerPool;
import io.pyrunr.executor.internal.wheels.WheelFolders;
import io.pyrunr.executor.internal.wheels.WheelSet;
import io.pyrunr.executor.internal.wheels.WheelWatcher;
import io.pyrunr.executor.internal.wheels.archive.WheelPlatform;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.LoggerFactory;

/**
 * Runs Python jobs on a fixed number of interpreters inside this JVM.
 *
 * <pre>{@code
 * try (var python = PythonExecutor.builder().workers(2).build()) {
 *   var result = python.run(PythonJob.of("sum(params)").withParams(List.of(1, 2, 3)));
 *   System.out.println(result.value()); // 6
 * }
 * }</pre>
 *
 * <p>Every job starts in a pristine interpreter: after each one, memory, files, environment and
 * everything else a job can change return to what they were. {@link Builder#recycleAfter} trades
 * that for a little time.
 *
 * <p>Thread-safe: any number of threads may submit jobs. The interpreters run on platform threads
 * of their own.
 */
public final class PythonExecutor implements AutoCloseable {
  private static final Duration WATCH_INTERVAL = Duration.ofSeconds(2);

  private final Limits limits;
  private final Limits ceiling;
  private final PyodideDistribution distribution;
  private final List<String> preload;
  private final InterpreterFactory factory;
  private final WorkerPool pool;
  private final WheelWatcher watcher;

  private PythonExecutor(Builder builder) {
    limits = builder.limits;
    ceiling = builder.ceiling;
    distribution = PyodideDistribution.bundled();
    WheelPlatform platform = WheelPlatform.of(distribution);
    var folders =
        builder.wheelCache.isEmpty()
            ? null
            : new WheelFolders(
                builder.wheelCache,
                builder.cache == null ? CacheHome.usual() : CacheHome.at(builder.cache),
                platform);
    WheelSet wheels = folders == null ? WheelSet.none(platform) : folders.scanAndSay();
    preload = List.copyOf(builder.preload);
    factory = new InterpreterFactory(prepared(wheels), builder.recycleAfter);
    pool = new WorkerPool(factory, builder.workers, builder.queueCapacity);
    watcher =
        builder.watch && folders != null
            ? new WheelWatcher(folders, wheels, WATCH_INTERVAL, this::switchTo)
            : null;
  }

  private PreparedPython prepared(WheelSet wheels) {
    return PreparedPython.of(distribution, wheels, preload, () -> new ModuleBytecode(distribution));
  }

  private void switchTo(WheelSet wheels) {
    try {
      factory.switchTo(prepared(wheels));
      LoggerFactory.getLogger(PythonExecutor.class)
          .info("the wheels have changed; new jobs see {}", wheels);
    } catch (IllegalStateException e) {
      LoggerFactory.getLogger(PythonExecutor.class)
          .warn(
              "the wheels have changed, but Python does not start with them; jobs go on with those"
                  + " from before: {}",
              e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Limits of jobs that bring none of their own. */
  public Limits limits() {
    return limits;
  }

  /** Interpreters, hence jobs at one time. */
  public int workers() {
    return pool.workers();
  }

  /**
   * Runs a job on the next free interpreter. Waits while the queue is full; interrupted meanwhile,
   * it returns a cancelled future and leaves the thread's interrupt flag set.
   *
   * <p>Whatever the job does, the future completes with a result. It completes exceptionally only
   * if Python itself cannot run or the heap has no room for it, and if it is cancelled, which stops
   * the job. Dependent actions run on the interpreter's thread unless they are {@code …Async}: they
   * may submit jobs, even to a full queue, but neither {@link #run} one nor {@link #close} this.
   *
   * @throws RejectedExecutionException if this executor is closed or Python cannot run
   */
  public CompletableFuture<PythonResult> submit(PythonJob job) {
    Limits asked = requireNonNull(job, "job").limits() == null ? limits : job.limits();
    return pool.submit(job.withLimits(asked.atMost(ceiling)));
  }

  /**
   * Runs a job and waits for its result.
   *
   * @throws InterruptedException if the waiting thread is interrupted; the job is stopped
   * @throws RejectedExecutionException if this executor is closed or Python cannot run
   * @throws IllegalStateException in an action of a job's future on the interpreter's thread
   */
  public PythonResult run(PythonJob job) throws InterruptedException {
    pool.requireNoWorker("run");
    CompletableFuture<PythonResult> future;
    try {
      future = submit(job);
    } catch (OutOfMemoryError e) {
      throw rejected(e);
    }
    try {
      return future.get();
    } catch (InterruptedException e) {
      future.cancel(true);
      throw e;
    } catch (CancellationException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted while the queue was full");
      }
      throw new RejectedExecutionException(
          e.getMessage() == null ? "the job was cancelled" : e.getMessage(), e);
    } catch (ExecutionException e) {
      throw rejected(e.getCause());
    }
  }

  /** The heap may be full in any thread, this one included. */
  private static RejectedExecutionException rejected(Throwable cause) {
    return new RejectedExecutionException(
        cause instanceof OutOfMemoryError
            ? "the JVM's heap has no room for the job: " + cause.getMessage()
            : cause.getMessage(),
        cause);
  }

  /**
   * Completes with the reason if Python cannot run, or cannot any more: this executor takes no more
   * jobs then. Not completed otherwise.
   */
  public CompletableFuture<Throwable> failure() {
    return pool.failure();
  }

  /** What the interpreters have done so far. */
  public PythonStatistics statistics() {
    InterpreterStatistics all = pool.statistics();
    return new PythonStatistics(
        all.jobs(), all.restores(), all.restoredPages(), all.replacements());
  }

  /**
   * Refuses new jobs, lets those that run or wait end, and frees the interpreters. Interrupted, it
   * stops them and leaves the thread's interrupt flag set.
   */
  @Override
  public void close() {
    if (watcher != null) {
      watcher.close();
    }
    pool.close();
  }

  /** Settings of an executor. Not thread-safe. */
  public static final class Builder {
    private int workers = 1;
    private int recycleAfter = 1;
    private int queueCapacity = 1000;
    private Limits limits = Limits.DEFAULT;
    private Limits ceiling = Limits.UNBOUNDED;
    private Path cache;
    private boolean watch;
    private final List<Path> wheelCache = new ArrayList<>();
    private final List<String> preload = new ArrayList<>();

    private Builder() {}

    /** Interpreters, hence jobs at one time; default 1. */
    public Builder workers(int count) {
      this.workers = positive("workers", count);
      return this;
    }

    /**
     * Jobs an interpreter runs before it is made pristine again; default 1. With more, each job
     * still gets a fresh {@code __main__} module, but sees what earlier ones left in imported
     * modules, files, environment and memory. A job that had to be stopped by force is always
     * followed by a restore.
     */
    public Builder recycleAfter(int jobs) {
      this.recycleAfter = positive("recycleAfter", jobs);
      return this;
    }

    /** Jobs that may wait for an interpreter before submitting blocks; default 1000. */
    public Builder queueCapacity(int jobs) {
      this.queueCapacity = positive("queueCapacity", jobs);
      return this;
    }

    /** Limits of jobs that bring none of their own; default {@link Limits#DEFAULT}. */
    public Builder limits(Limits value) {
      this.limits = requireNonNull(value, "limits");
      return this;
    }

    /**
     * The most a job gets of anything, whatever it asks for, for executors whose jobs are made by
     * others; default {@link Limits#UNBOUNDED}.
     */
    public Builder ceiling(Limits value) {
      this.ceiling = requireNonNull(value, "ceiling");
      return this;
    }

    /**
     * A folder whose wheels jobs can import; may be called several times. A package in an earlier
     * folder wins. Wheels that cannot be used are logged with the reason. Nothing is written to the
     * folder.
     */
    public Builder wheelCache(Path folder) {
      wheelCache.add(requireNonNull(folder, "folder"));
      return this;
    }

    /**
     * Whether to watch the wheel caches while running; off by default. When wheels come or go, the
     * new environment is made in the background, and jobs that start after that see it. Wheels that
     * are being copied are left alone until they are whole.
     */
    public Builder watch(boolean value) {
      this.watch = value;
      return this;
    }

    /** Modules that are imported once, before the first job, so that jobs find them loaded. */
    public Builder preload(String... modules) {
      preload.addAll(List.of(modules));
      return this;
    }

    /**
     * A folder for what is made of wheels: unpacked files, compiled code, Pythons that have started
     * and imported what {@link #preload} asks for. The next process finds it there. By default that
     * is what the environment variable {@code PYRUNR_CACHE} names, else {@code pyrunr} in the
     * user's folder of caches. Executors and processes may share one, and it may be deleted at any
     * time. Made when a wheel is there to use it; where that cannot be, memory serves, with a
     * warning.
     *
     * <p>What is in it runs as code, so nobody else may be able to put anything into it.
     */
    public Builder cache(Path folder) {
      this.cache = requireNonNull(folder, "folder");
      return this;
    }

    /**
     * Creates the executor. Python starts in the background; jobs may be submitted at once.
     *
     * @throws IllegalArgumentException if a wheel cache is no folder that can be read, or others
     *     can write to the {@linkplain #cache cache}
     */
    public PythonExecutor build() {
      return new PythonExecutor(this);
    }

    private static int positive(String name, int value) {
      if (value <= 0) {
        throw new IllegalArgumentException(name + " is " + value + "; it must be positive");
      }
      return value;
    }
  }
}
