package io.pyrunr.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Pyodide's own numpy and pandas: what {@code src/test/wheels/scientific} computes with them is
 * what the same Pyodide computes under Node, to the last digit.
 *
 * <p>The wheels are where the environment variable {@code PYRUNR_TEST_SCIENTIFIC_WHEELS} says;
 * {@code fetch.sh} beside the scripts gets them.
 */
class ScientificWheelsTest {
  private static final Path SCRIPTS = Path.of("src", "test", "wheels", "scientific");
  private static final Path PYODIDE =
      Path.of("..", "pyodide-dist", "target", "npm", "node_modules", "pyodide");
  private static final ObjectMapper JSON = new ObjectMapper();

  /** A gigabyte, and time for the JIT compiler to get at the code of two large packages. */
  private static final Limits LIMITS =
      Limits.DEFAULT
          .withWallTime(Duration.ofMinutes(10))
          .withMemoryBytes(1L << 30)
          .withResultBytes(16 << 20);

  private static Path wheels() {
    String folder = System.getenv("PYRUNR_TEST_SCIENTIFIC_WHEELS");
    if (folder == null && "true".equals(System.getenv("CI"))) {
      throw new IllegalStateException("CI has no scientific wheels; .ci/run must provide them");
    }
    assumeTrue(
        folder != null,
        "PYRUNR_TEST_SCIENTIFIC_WHEELS is not set; run fetch.sh in " + SCRIPTS + ", and set it");
    return Path.of(folder);
  }

  private static PythonJob script(String name) throws IOException {
    return PythonJob.of(Files.readString(SCRIPTS.resolve(name))).withLimits(LIMITS);
  }

  @Test
  void computesWhatNodeComputes() throws Exception {
    Path wheels = wheels();
    Process node = node(wheels, "numpy_checks.py", "pandas_checks.py");
    try (PythonExecutor python = PythonExecutor.builder().workers(1).wheelCache(wheels).build();
        var lines = node.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode peer = JSON.readTree(line);
        String name = peer.path("script").asText();
        PythonResult result = python.run(script(name));
        assertTrue(result.succeeded(), () -> name + ": " + result);
        // As texts: NaN is Python's JSON, not everybody's.
        assertEquals(peer.path("value").asText(), result.value(), name);
      }
    }
    assertEquals(0, node.waitFor(), "exit code of Node");
  }

  private static Process node(Path wheels, String... scripts) throws IOException {
    List<String> command = new ArrayList<>(List.of("node", "--stack-size=3900"));
    command.add(SCRIPTS.resolve("node_peer.mjs").toString());
    command.add(PYODIDE.toString());
    command.add(wheels.toString());
    for (String script : scripts) {
      command.add(SCRIPTS.resolve(script).toString());
    }
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** From the boot image: the import is there already, and every job has its own copy. */
  @Test
  void preloadedPackagesArePristineInEveryJob() throws InterruptedException {
    try (PythonExecutor python =
        PythonExecutor.builder()
            .workers(1)
            .wheelCache(wheels())
            .preload("numpy", "pandas")
            .build()) {
      PythonResult loaded =
          python.run(
              PythonJob.of("import sys\n'pandas' in sys.modules and 'numpy' in sys.modules"));
      assertEquals("true", loaded.valueJson(), loaded::toString);
      PythonJob probe =
          PythonJob.of(
              """
              import numpy as np, pandas as pd
              before = [hasattr(np, "leak"), np.get_printoptions()["precision"], pd.options.display.max_rows,
                        hasattr(pd.DataFrame, "leak"), np.geterr()["divide"], float(np.pi)]
              np.leak = 1
              np.set_printoptions(precision=2)
              np.seterr(all="ignore")
              pd.options.display.max_rows = 7
              pd.DataFrame.leak = 1
              np.pi = 3
              np.random.seed(1)
              before
              """);
      PythonResult first = python.run(probe);
      assertTrue(first.succeeded(), first::toString);
      assertEquals("[false,8,60,false,\"warn\",3.141592653589793]", first.valueJson());
      assertEquals(first.valueJson(), python.run(probe).valueJson());
      PythonJob draw = PythonJob.of("import numpy as np\nnp.random.rand()");
      assertNotEquals(value(python, draw), value(python, draw));
    }
  }

  /** What pandas labels keeps its labels in a result; docs/values.md has the table. */
  @Test
  void resultsKeepTheirLabels() throws Exception {
    try (PythonExecutor python =
        PythonExecutor.builder()
            .workers(1)
            .wheelCache(wheels())
            .preload("numpy", "pandas")
            .build()) {
      for (ScriptCase each : ScriptCase.load("labels.json").toList()) {
        each.check(python, LIMITS);
      }
    }
  }

  private static Object value(PythonExecutor python, PythonJob job) throws InterruptedException {
    PythonResult result = python.run(job);
    assertTrue(result.succeeded(), result::toString);
    return result.value();
  }
}
