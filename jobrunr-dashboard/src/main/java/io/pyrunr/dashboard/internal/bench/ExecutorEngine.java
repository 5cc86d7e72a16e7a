package io.pyrunr.dashboard.internal.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrunr.executor.Limits;
import io.pyrunr.executor.PythonExecutor;
import io.pyrunr.executor.PythonJob;
import io.pyrunr.executor.PythonResult;
import io.pyrunr.executor.PythonStatistics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Ours: one interpreter, pristine for every job. */
final class ExecutorEngine implements Engine {
  private static final Limits PATIENT = Limits.DEFAULT.withWallTime(Duration.ofMinutes(30));

  private final PythonExecutor executor;

  ExecutorEngine(String... preload) {
    executor = PythonExecutor.builder().limits(PATIENT).preload(preload).build();
  }

  ExecutorEngine(Path wheels, String... preload) {
    executor = PythonExecutor.builder().limits(PATIENT).wheelCache(wheels).preload(preload).build();
  }

  @Override
  public String name() {
    return "pyrunr";
  }

  @Override
  public Answer run(String code, JsonNode params, int times)
      throws IOException, InterruptedException {
    PythonJob job = PythonJob.of(code);
    if (params != null) {
      job = job.withParamsJson(params.toString());
    }
    double[] whole = new double[times];
    double[] run = new double[times];
    double[] restore = new double[times];
    PythonResult result = null;
    PythonStatistics before = executor.statistics();
    for (int i = 0; i < times; i++) {
      long start = System.nanoTime();
      result = executor.run(job);
      whole[i] = (System.nanoTime() - start) / 1e6;
      if (!result.succeeded()) {
        throw new IOException(
            "a benchmark failed: " + result.error().type() + ": " + result.error().message());
      }
      run[i] = result.duration().toNanos() / 1e6;
      restore[i] = result.restore().toNanos() / 1e6;
    }
    PythonStatistics after = executor.statistics();
    double pages =
        (double) (after.restoredPages() - before.restoredPages())
            / Math.max(1, after.restores() - before.restores());
    return new Answer(BenchJson.MAPPER.readTree(result.valueJson()), whole, run, restore, pages);
  }

  @Override
  public void close() {
    executor.close();
  }
}
