package io.pyrunr.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
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
 * Small Python jobs with the right outcome of the last, as the files beside this class hold them.
 *
 * @param id name, whose prefix tells the topic
 * @param jobs to run one after the other on one worker
 * @param expected kind and figure: {@code value}, {@code value-sorted}, {@code error}, {@code
 *     status}
 * @param then runs afterwards; its value must be 2
 */
record PythonCase(String id, List<String> jobs, JsonNode expected, String then) {
  private static final ObjectMapper JSON =
      new ObjectMapper(
          JsonFactory.builder()
              .streamReadConstraints(
                  StreamReadConstraints.builder().maxNumberLength(Integer.MAX_VALUE).build())
              .build());

  static Stream<PythonCase> load(String resource) {
    try (InputStream in = PythonCase.class.getResourceAsStream(resource)) {
      List<PythonCase> cases = new ArrayList<>();
      for (JsonNode each : JSON.readTree(in)) {
        List<String> jobs = new ArrayList<>();
        each.get("jobs").forEach(job -> jobs.add(job.asText()));
        JsonNode then = each.get("then");
        cases.add(
            new PythonCase(
                each.get("id").asText(),
                jobs,
                each.get("exp"),
                then == null ? null : then.asText()));
      }
      return cases.stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs the case and compares. */
  void check(PythonExecutor python) throws Exception {
    PythonResult last = null;
    for (int i = 0; i < jobs.size(); i++) {
      last = python.run(PythonJob.of(jobs.get(i)).withLimits(limits(i)));
    }
    switch (expected.get(0).asText()) {
      case "value" -> assertEquals(expected.get(1), value(last));
      case "value-sorted" -> {
        List<JsonNode> values = new ArrayList<>();
        value(last).forEach(values::add);
        values.sort((a, b) -> Long.compare(a.asLong(), b.asLong()));
        assertEquals(expected.get(1), JSON.valueToTree(values));
      }
      case "error" -> {
        assertEquals(Status.FAILED, last.status(), last::toString);
        assertEquals(expected.get(1).asText(), last.error().type(), last::toString);
      }
      case "status" -> checkStatus(expected.get(1).asText(), last);
      default -> throw new IllegalStateException("unknown expectation in " + id);
    }
    if (then != null) {
      assertEquals("2", python.run(PythonJob.of(then)).valueJson());
    }
  }

  /** Endless jobs get little time; the others must not fail for a slow machine. */
  private Limits limits(int job) {
    boolean last = job == jobs.size() - 1;
    boolean endless =
        last ? expected.get(1).asText().startsWith("TIMED_OUT") : id.contains("-stopped-");
    return Limits.DEFAULT.withWallTime(Duration.ofSeconds(endless ? 1 : 60));
  }

  private static void checkStatus(String text, PythonResult result) {
    switch (text.split("[ ,]")[0]) {
      case "FAILED" -> {
        assertEquals(Status.FAILED, result.status(), result::toString);
        if (text.contains("MemoryError")) {
          assertEquals("MemoryError", result.error().type(), result::toString);
        }
      }
      case "SUCCEEDED" -> {
        assertEquals(Status.SUCCEEDED, result.status(), result::toString);
        assertTrue(!text.contains("truncated=true") || result.truncated(), result::toString);
      }
      case "TIMED_OUT" ->
          assertTrue(
              result.status() == Status.TIMED_OUT
                  || (text.contains("or SUCCEEDED") && result.succeeded()),
              result::toString);
      default -> throw new IllegalStateException(text);
    }
  }

  private static JsonNode value(PythonResult result) throws IOException {
    assertEquals(Status.SUCCEEDED, result.status(), result::toString);
    return JSON.readTree(result.valueJson());
  }

  @Override
  public String toString() {
    return id;
  }
}
