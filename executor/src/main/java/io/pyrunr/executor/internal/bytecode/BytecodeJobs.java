package io.pyrunr.executor.internal.bytecode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.Limits;
import io.pyrunr.executor.PythonJob;
import io.pyrunr.executor.PythonResult;
import io.pyrunr.executor.internal.image.PreparedPython;
import io.pyrunr.executor.internal.interpreter.InterpreterFactory;
import io.pyrunr.executor.internal.pool.WorkerPool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Jobs that compile Python on plain interpreters, side by side. Each gives a dict of names and
 * {@code .pyc} contents. The sources may be strangers': these are jobs like any other.
 */
final class BytecodeJobs implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int WORKERS = 2;
  private static final int QUEUE = 1000;
  private static final Limits LIMITS =
      Limits.DEFAULT.withWallTime(Duration.ofMinutes(20)).withResultBytes(256 << 20);

  private final WorkerPool pool;
  private final String code;

  /**
   * Starts the interpreters.
   *
   * @param code what each job runs; {@code bytecode} is its value
   */
  BytecodeJobs(PyodideDistribution distribution, String code) {
    this.code = code;
    pool =
        new WorkerPool(
            new InterpreterFactory(PreparedPython.plain(distribution), 1), WORKERS, QUEUE);
  }

  /**
   * Runs a job per element and waits for all.
   *
   * @param params of the jobs
   * @param bytecode is told of each name and its {@code .pyc}
   * @param failed is told of the jobs that failed
   * @throws IllegalStateException if Python cannot run
   * @throws InterruptedException if the thread is interrupted; the jobs are stopped
   */
  void run(List<?> params, BiConsumer<String, byte[]> bytecode, Consumer<PythonResult> failed)
      throws InterruptedException {
    List<CompletableFuture<PythonResult>> jobs = new ArrayList<>();
    try {
      for (Object each : params) {
        jobs.add(pool.submit(PythonJob.of(code).withParams(each).withLimits(LIMITS)));
      }
      for (CompletableFuture<PythonResult> job : jobs) {
        PythonResult result = job.get();
        if (result.succeeded()) {
          collect(result, bytecode);
        } else {
          failed.accept(result);
        }
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("Python cannot run: " + e.getCause().getMessage(), e);
    } finally {
      jobs.forEach(job -> job.cancel(true)); // those that are left after an interrupt
    }
  }

  private static void collect(PythonResult result, BiConsumer<String, byte[]> bytecode) {
    try {
      for (Map.Entry<String, JsonNode> module : JSON.readTree(result.valueJson()).properties()) {
        bytecode.accept(module.getKey(), module.getValue().binaryValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
