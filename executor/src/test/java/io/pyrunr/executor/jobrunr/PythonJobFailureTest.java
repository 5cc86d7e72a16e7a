package io.pyrunr.executor.jobrunr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pyrunr.executor.PythonError;
import org.jobrunr.jobs.states.FailedState;
import org.junit.jupiter.api.Test;

class PythonJobFailureTest {
  private static final String TRACEBACK =
      "Traceback (most recent call last):\n  File \"<job>\", line 1\nValueError: no";

  @Test
  void jobRunrShowsTheTracebackAndNothingElse() {
    FailedState state = new FailedState("failed", failure("no", TRACEBACK));
    assertEquals(TRACEBACK, state.getStackTrace().strip());
    assertEquals("ValueError: no", state.getExceptionMessage());
    assertTrue(state.mustNotRetry());
  }

  @Test
  void withoutATracebackTheMessageIsShown() {
    assertEquals("ValueError", new FailedState("failed", failure("", "")).getStackTrace().strip());
  }

  /** JobRunr makes the exception anew from class and message when it reads a failed job. */
  @Test
  void canBeRebuiltFromItsMessage() {
    FailedState stored =
        new FailedState(
            "failed",
            PythonJobFailure.class.getName(),
            "ValueError: no",
            null,
            null,
            "",
            true,
            null);
    assertEquals("ValueError: no", stored.getException().getMessage());
  }

  private static PythonJobFailure failure(String message, String traceback) {
    return PythonJobFailure.of(PythonError.of("ValueError", message, traceback));
  }
}
