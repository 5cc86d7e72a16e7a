package example;

import io.pyrunr.executor.Limits;
import io.pyrunr.executor.PythonError;
import io.pyrunr.executor.PythonException;
import io.pyrunr.executor.PythonExecutor;
import io.pyrunr.executor.PythonJob;
import java.time.Duration;
import java.util.List;

/** Values, output, an error and an endless loop. */
public final class Main {
  private Main() {}

  public static void main(String[] args) throws InterruptedException {
    requireNoJobRunr();
    try (var python = PythonExecutor.builder().workers(1).build()) {
      var sum =
          python.run(PythonJob.of("print('adding'); sum(params)").withParams(List.of(1, 2, 3)));
      require(sum.valueOrThrow(Integer.class) == 6, sum);
      require(sum.stdout().equals("adding\n"), sum);

      var mistake = python.run(PythonJob.of("1 / 0"));
      try {
        throw new IllegalStateException("a value: " + mistake.valueOrThrow());
      } catch (PythonException e) {
        require(e.type().equals("ZeroDivisionError") && e.kind() == PythonError.Kind.CODE, e);
      }

      var endless =
          python.run(
              PythonJob.of("while True: pass")
                  .withLimits(Limits.DEFAULT.withWallTime(Duration.ofMillis(300))));
      require(endless.error().kind() == PythonError.Kind.LIMIT, endless);

      require(python.run(PythonJob.of("'sum' in globals()")).value().equals(false), "not pristine");
    }
    System.out.println("it/plain: all well");
  }

  /** It is optional, and nothing here asked for it. */
  private static void requireNoJobRunr() {
    try {
      Class.forName("org.jobrunr.configuration.JobRunr");
      throw new IllegalStateException("JobRunr is on the class path");
    } catch (ClassNotFoundException e) {
      // as it should be
    }
  }

  private static void require(boolean condition, Object what) {
    if (!condition) {
      throw new IllegalStateException("unexpected: " + what);
    }
  }
}
