package io.pyrunr.dashboard.internal.bench;

import io.pyrunr.executor.Limits;
import io.pyrunr.executor.PythonExecutor;
import io.pyrunr.executor.PythonJob;
import io.pyrunr.executor.PythonResult;
import io.pyrunr.executor.PythonResult.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How late a job ends that would not end by itself.
 *
 * @param job what it does
 * @param stop which stop ends it: {@code soft} at its wall time, {@code hard} when the grace after
 *     that is over
 * @param medianMs by which it ended after that instant
 * @param mostMs by which it ended after that instant
 * @param runs jobs that were stopped
 */
record StopTime(String job, String stop, double medianMs, double mostMs, int runs) {
  private static final Limits LIMITS = Limits.DEFAULT.withWallTime(Duration.ofMillis(50));
  private static final Duration HARD = LIMITS.wallTime().plus(Limits.GRACE);

  private enum Endless {
    PYTHON_LOOP("loop in Python", "soft", "while True: pass"),
    SLEEP("sleep", "soft", "import time; time.sleep(60)"),
    C_LOOP("loop in C", "hard", "sum(range(10 ** 15))"),
    REFUSAL(
        "loop that catches everything",
        "hard",
        """
        while True:
            try:
                while True: pass
            except BaseException:
                pass
        """);

    private final String title;
    private final String stop;
    private final String code;

    Endless(String title, String stop, String code) {
      this.title = title;
      this.stop = stop;
      this.code = code;
    }
  }

  static List<StopTime> measure(int runs) throws IOException, InterruptedException {
    List<StopTime> rows = new ArrayList<>();
    try (var executor = PythonExecutor.builder().limits(LIMITS).build()) {
      for (Endless job : Endless.values()) {
        double[] late = new double[runs];
        for (int i = 0; i < runs; i++) {
          late[i] = lateMs(executor, job);
        }
        rows.add(
            new StopTime(
                job.title,
                job.stop,
                Samples.median(late),
                Arrays.stream(late).max().orElseThrow(),
                runs));
      }
    }
    return rows;
  }

  private static double lateMs(PythonExecutor executor, Endless job)
      throws IOException, InterruptedException {
    PythonResult result = executor.run(PythonJob.of(job.code));
    if (result.status() != Status.TIMED_OUT) {
      throw new IOException("a job without end ended: " + job.title + ": " + result);
    }
    Duration due = job.stop.equals("hard") ? HARD : LIMITS.wallTime();
    return result.duration().minus(due).toNanos() / 1e6;
  }
}
