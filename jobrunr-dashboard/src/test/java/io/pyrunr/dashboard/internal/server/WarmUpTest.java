package io.pyrunr.dashboard.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pyrunr.executor.PythonExecutor;
import io.pyrunr.executor.PythonJob;
import io.pyrunr.executor.PythonResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WarmUpTest {

  /** A job with a mistake in it would warm up nothing but the report of errors. */
  @Test
  void itsJobsDoWhatTheySay() throws InterruptedException {
    List<String> ends = new ArrayList<>();
    try (PythonExecutor executor = PythonExecutor.builder().build()) {
      for (PythonJob job : WarmUp.jobs()) {
        PythonResult result = executor.run(job);
        ends.add(result.succeeded() ? "value" : result.error().type());
      }
    }
    assertEquals(List.of("value", "value", "value", "value", "RuntimeError", "value"), ends);
  }
}
