package io.pyrunr.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pyrunr.executor.PythonError.Kind;
import io.pyrunr.executor.PythonResult.Status;
import java.math.BigInteger;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResultJsonTest {

  @Test
  void success() {
    var result =
        PythonResult.succeeded("6")
            .output("hi\n", "", false)
            .took(Duration.ofNanos(812_300), Duration.ofNanos(200_000))
            .build();
    assertEquals(
        "{\"status\":\"SUCCEEDED\",\"value\":6,\"stdout\":\"hi\\n\",\"stderr\":\"\","
            + "\"truncated\":false,\"error\":null,\"durationMs\":0.812,\"restoreMs\":0.2}",
        result.toJson());
  }

  @Test
  void failure() {
    var error = PythonError.of(Kind.LIMIT, "TimeoutError", "stopped", "Traceback");
    var result =
        PythonResult.failed(Status.TIMED_OUT, error)
            .output("", "é", true)
            .took(Duration.ofMillis(5000), Duration.ZERO)
            .build();
    assertEquals(
        "{\"status\":\"TIMED_OUT\",\"value\":null,\"stdout\":\"\",\"stderr\":\"é\","
            + "\"truncated\":true,\"error\":{\"type\":\"TimeoutError\",\"message\":\"stopped\","
            + "\"traceback\":\"Traceback\",\"kind\":\"LIMIT\"},\"durationMs\":5000,\"restoreMs\":0}",
        result.toJson());
  }

  /** A number that Java cannot hold, and half a character, which UTF-8 cannot. */
  @Test
  void valuesAreVerbatimAndTextIsWellFormed() {
    String digits = "1".repeat(5_000);
    String json = PythonResult.succeeded(digits).output("a\ud800b😀", "", false).build().toJson();
    assertEquals(
        "{\"status\":\"SUCCEEDED\",\"value\":"
            + digits
            + ",\"stdout\":\"a\\ud800b😀\",\"stderr\":\"\",\"truncated\":false,\"error\":null,"
            + "\"durationMs\":0,\"restoreMs\":0}",
        json);
    assertEquals(new BigInteger(digits), PythonResult.fromJson(json).value());
    assertEquals("a\ud800b😀", PythonResult.fromJson(json).stdout());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "true",
        "-0.0",
        "1e400",
        "1.50",
        "[]",
        "{}",
        "\"é\\ud800\"",
        "[1, [2,{\"a\":[]}]]",
        "{\"status\":\"FAILED\",\"error\":{}}",
        "123456789012345678901234567890"
      })
  void whatWasWrittenIsReadAsItWas(String value) {
    PythonResult written =
        PythonResult.succeeded(value)
            .output("o\"ut", "e\nrr", true)
            .took(Duration.ofNanos(1_234_000), Duration.ofNanos(5_000))
            .build();
    PythonResult read = PythonResult.fromJson(written.toJson());
    assertEquals(written.toJson(), read.toJson());
    assertEquals(value, read.valueJson());
    assertEquals(Duration.ofNanos(1_234_000), read.duration());
    assertEquals("o\"ut", read.stdout());
    assertTrue(read.truncated());
  }

  /** Results that were stored before there were kinds, and lines of the command line. */
  @Test
  void earlierResultsAreRead() {
    PythonResult failed =
        PythonResult.fromJson(
            "{\"id\":\"a2\",\"status\":\"FAILED\",\"value\":null,\"stdout\":\"\",\"stderr\":\"\","
                + "\"truncated\":false,\"error\":{\"type\":\"ValueError\",\"message\":\"no\","
                + "\"traceback\":\"Traceback …\"},\"durationMs\":0.8,\"restoreMs\":0.2}");
    assertEquals(Kind.CODE, failed.error().kind());
    assertEquals("ValueError: no", failed.error().toString());
    PythonResult late =
        PythonResult.fromJson(
            "{\"status\":\"TIMED_OUT\",\"error\":{\"type\":\"TimeLimitExceeded\",\"message\":\"\","
                + "\"traceback\":\"\"}}");
    assertEquals(Kind.LIMIT, late.error().kind());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "{",
        "{}",
        "{\"status\":\"DONE\"}",
        "{\"status\":\"FAILED\"}",
        "{\"status\":\"SUCCEEDED\",\"value\":[1}",
        "{\"status\":\"FAILED\",\"error\":5}"
      })
  void anythingElseIsRefusedInOneLine(String text) {
    var e = assertThrows(IllegalArgumentException.class, () -> PythonResult.fromJson(text));
    assertEquals(1, e.getMessage().lines().count(), e.getMessage());
  }
}
