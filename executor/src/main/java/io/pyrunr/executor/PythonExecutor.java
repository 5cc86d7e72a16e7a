package io.pyrunr.executor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

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
 * <p>Thread-safe: any number of threads may submit jobs.
 */
public final class PythonExecutor implements AutoCloseable {

  private PythonExecutor(Builder builder) {}

  public static Builder builder() {
    return new Builder();
  }

  /**
   * Runs a job on the next free interpreter. The future never completes exceptionally for what the
   * job did.
   */
  public CompletableFuture<PythonResult> submit(PythonJob job) {
    throw new UnsupportedOperationException();
  }

  /** Runs a job and waits; interrupting the waiting thread stops the job. */
  public PythonResult run(PythonJob job) throws InterruptedException {
    throw new UnsupportedOperationException();
  }

  /** Lets running jobs end, refuses new ones, frees the interpreters. */
  @Override
  public void close() {}

  /** Settings of an executor. Not thread-safe. */
  public static final class Builder {
    private int workers = 1;
    private int recycleAfter = 1;
    private final List<Path> wheelCache = new ArrayList<>();

    private Builder() {}

    /** Interpreters, hence jobs at one time; default 1. */
    public Builder workers(int count) {
      this.workers = count;
      return this;
    }

    /** Jobs an interpreter runs before it is made pristine again; default 1. */
    public Builder recycleAfter(int jobs) {
      this.recycleAfter = jobs;
      return this;
    }

    /** A folder whose wheels jobs can import; may be called several times. */
    public Builder wheelCache(Path folder) {
      wheelCache.add(folder);
      return this;
    }

    public PythonExecutor build() {
      return new PythonExecutor(this);
    }
  }
}
