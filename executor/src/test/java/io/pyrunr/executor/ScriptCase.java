package io.pyrunr.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.pyrunr.executor.PythonResult.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A script and all that can be seen of its run, as the files beside this class hold them.
 *
 * <p>Fields: {@code name}, {@code code}; {@code value} or {@code type} and {@code message} of an
 * error; {@code status} and {@code timeoutMs} of one that is stopped; {@code stdout} and {@code
 * stderr}, a text that is all of it or a list of what it contains, and stderr is empty otherwise;
 * {@code traceback}, a list of what it contains.
 */
record ScriptCase(String name, JsonNode expected) {
  private static final ObjectMapper JSON = new ObjectMapper();

  static Stream<ScriptCase> load(String resource) {
    try (InputStream in = ScriptCase.class.getResourceAsStream(resource)) {
      List<ScriptCase> cases = new ArrayList<>();
      for (JsonNode each : JSON.readTree(in)) {
        cases.add(new ScriptCase(each.get("name").asText(), each));
      }
      return cases.stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs the case with these limits, unless it is one that takes too long, and compares. */
  void check(PythonExecutor python, Limits limits) throws Exception {
    JsonNode timeout = expected.get("timeoutMs");
    Limits own =
        timeout == null ? limits : limits.withWallTime(Duration.ofMillis(timeout.asLong()));
    PythonResult result = python.run(PythonJob.of(expected.get("code").asText()).withLimits(own));
    assertEquals(status(), result.status(), () -> name + ": " + result);
    if (expected.has("value")) {
      assertEquals(expected.get("value"), JSON.readTree(result.valueJson()), name);
    }
    PythonError error = result.error();
    if (expected.has("type")) {
      assertEquals(expected.get("type").asText(), error.type(), result::toString);
    }
    if (expected.has("message")) {
      assertEquals(expected.get("message").asText(), error.message());
    }
    if (expected.has("traceback")) {
      compare(expected.get("traceback"), error.traceback());
    }
    if (expected.has("stdout")) {
      compare(expected.get("stdout"), result.stdout());
    }
    compare(expected.path("stderr"), result.stderr());
  }

  private Status status() {
    if (expected.has("status")) {
      return Status.valueOf(expected.get("status").asText());
    }
    return expected.has("type") ? Status.FAILED : Status.SUCCEEDED;
  }

  private static void compare(JsonNode expected, String text) {
    if (!expected.isArray() || expected.isEmpty()) {
      assertEquals(expected.asText(), text);
    }
    for (JsonNode part : expected) {
      assertTrue(text.contains(part.asText()), () -> "no '" + part.asText() + "' in:\n" + text);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
