package io.pyrunr.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A job that is asked to stop notices even if it has next to nothing left to execute, and the
 * request never reaches the job after it. Found with a restore only every 50 jobs: {@code
 * time.sleep} came back early, the job succeeded, and the next one was told that its time was over.
 */
class StopTest {
  private static final int ROUNDS = 40;

  @ParameterizedTest
  @ValueSource(ints = {1, 50})
  void theLastInstructionSleeps(int recycleAfter) throws Exception {
    try (PythonExecutor python = PythonExecutor.builder().recycleAfter(recycleAfter).build()) {
      Limits brief = Limits.DEFAULT.withWallTime(Duration.ofMillis(40));
      for (int round = 0; round < ROUNDS; round++) {
        PythonJob sleeper = PythonJob.of("import time\ntime.sleep(60)").withLimits(brief);
        assertEquals(PythonResult.Status.TIMED_OUT, python.run(sleeper).status());
        assertEquals(2, python.run(PythonJob.of("1 + 1")).value());
      }
    }
  }
}
