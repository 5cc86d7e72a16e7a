package io.pyrunr.executor;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Real pure-Python packages, imported and used a little: those of {@code
 * src/test/wheels/uses.jsonl}, which {@code src/test/wheels/fetch.sh} puts into the folder that the
 * environment variable {@code PYRUNR_TEST_WHEELS} names.
 */
class RealWheelsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int AT_LEAST = 25;

  @Test
  void packagesAreImportedAndUsed() throws Exception {
    String folder = System.getenv("PYRUNR_TEST_WHEELS");
    if (folder == null && "true".equals(System.getenv("CI"))) {
      throw new IllegalStateException("CI has no real wheels; .ci/run must provide them");
    }
    assumeTrue(
        folder != null,
        "PYRUNR_TEST_WHEELS is not set; run src/test/wheels/fetch.sh FOLDER and set it to that");
    Set<String> there =
        WheelCache.of(List.of(Path.of(folder))).list().wheels().stream()
            .filter(WheelReport.Entry::chosen)
            .map(WheelReport.Entry::name)
            .collect(Collectors.toCollection(TreeSet::new));
    List<Executable> checks = new ArrayList<>();
    try (PythonExecutor python = PythonExecutor.builder().wheelCache(Path.of(folder)).build()) {
      for (String line : Files.readAllLines(Path.of("src/test/wheels/uses.jsonl"))) {
        JsonNode use = JSON.readTree(line);
        String name = use.path("package").asText().replace('_', '-');
        if (!there.contains(name)) {
          continue; // not among this Debian's packages; how many there are is checked below
        }
        PythonResult result =
            python.run(
                PythonJob.of(use.path("code").asText())
                    .withLimits(Limits.DEFAULT.withWallTime(Duration.ofMinutes(5))));
        System.out.printf(
            "%-20s %s in %d ms%n", name, result.status(), result.duration().toMillis());
        checks.add(
            () ->
                assertEquals(
                    use.path("value"), JSON.readTree(result.valueJson()), name + ": " + result));
      }
    }
    checks.add(() -> assertEquals(true, there.size() >= AT_LEAST, () -> "only " + there.size()));
    assertAll(checks);
  }
}
