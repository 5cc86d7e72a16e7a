package io.pyrunr.executor.jobrunr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pyrunr.executor.PythonResult;
import io.pyrunr.executor.PythonResult.PythonError;
import io.pyrunr.executor.PythonResult.Status;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ResultJsonTest {

  @Test
  void success() {
    var result =
        new PythonResult(
            Status.SUCCEEDED,
            "6",
            "hi\n",
            "",
            false,
            null,
            Duration.ofNanos(812_300),
            Duration.ofNanos(200_000));
    assertEquals(
        "{\"id\":\"a1\",\"status\":\"SUCCEEDED\",\"value\":6,\"stdout\":\"hi\\n\",\"stderr\":\"\","
            + "\"truncated\":false,\"error\":null,\"durationMs\":0.812,\"restoreMs\":0.2}",
        ResultJson.write("\"a1\"", result));
  }

  @Test
  void failure() {
    var result =
        new PythonResult(
            Status.TIMED_OUT,
            "null",
            "",
            "é",
            true,
            new PythonError("TimeoutError", "stopped", "Traceback"),
            Duration.ofMillis(5000),
            Duration.ZERO);
    assertEquals(
        "{\"status\":\"TIMED_OUT\",\"value\":null,\"stdout\":\"\",\"stderr\":\"é\","
            + "\"truncated\":true,\"error\":{\"type\":\"TimeoutError\",\"message\":\"stopped\","
            + "\"traceback\":\"Traceback\"},\"durationMs\":5000,\"restoreMs\":0}",
        ResultJson.write(null, result));
  }

  /** A number that Java cannot hold, and half a character, which UTF-8 cannot. */
  @Test
  void valuesAreVerbatimAndTextIsWellFormed() {
    String digits = "1".repeat(5_000);
    var result =
        new PythonResult(
            Status.SUCCEEDED, digits, "a\ud800b😀", "", false, null, Duration.ZERO, Duration.ZERO);
    String json = ResultJson.write("1", result);
    assertEquals(
        "{\"id\":1,\"status\":\"SUCCEEDED\",\"value\":"
            + digits
            + ",\"stdout\":\"a\uFFFDb😀\",\"stderr\":\"\",\"truncated\":false,\"error\":null,"
            + "\"durationMs\":0,\"restoreMs\":0}",
        json);
  }
}
