package io.pyrunr.dashboard.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrunr.dashboard.it.PackagedJar.Output;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That measuring works, and what it measures is right; how fast it is, is no test. */
class BenchIT {
  /** What CPython says to the ten programs, on any machine. */
  private static final Map<String, Double> VALUES =
      Map.of(
          "fib", 75025.0,
          "loop", 196122944.0,
          "nbody", 0.415154,
          "json_trips", 692700.0,
          "regex", 20000.0,
          "queens", 92.0,
          "dictionary", 3906680.0,
          "sort", 4950045.0,
          "pidigits", 1753.0,
          "classes", 20000100000.0);

  @TempDir Path folder;

  @Test
  void aTinyBenchMeasuresEverything() throws Exception {
    Output output =
        PackagedJar.run(folder, "bench", "--reps", "1", "--jobs", "5", "--no-node", "--json");
    assertEquals(0, output.exitCode(), output.err());
    output
        .err()
        .lines()
        .forEach(line -> assertFalse(line.matches(".*\\w=.*|.*[\\[{].*"), "for people: " + line));
    JsonNode report = output.json();
    VALUES.forEach(
        (name, value) -> {
          JsonNode row = report.at("/python/engines/pyrunr/" + name);
          assertEquals(value, row.path("value").asDouble(), name);
          assertTrue(row.path("bestMs").asDouble() > 0, name);
        });
    assertFalse(report.path("python").has("timesNode"));
    assertTrue(report.path("latencies").size() >= 4);
    for (JsonNode latency : report.path("latencies")) {
      assertTrue(latency.path("pagesPerJob").asDouble() > 0, latency.toString());
      assertTrue(
          latency.path("wholeP50Ms").asDouble() <= latency.path("wholeP99Ms").asDouble(),
          latency.toString());
    }
    assertEquals(4, report.path("stops").size());
    for (JsonNode stop : report.path("stops")) {
      assertEquals(1, stop.path("runs").asInt(), stop.toString());
      assertTrue(stop.path("medianMs").asDouble() > -1, stop.toString());
    }
    assertTrue(report.at("/starts/pyrunr/medianMs").asDouble() > 0);
    if (System.getProperty("os.name").equals("Linux")) {
      JsonNode memory = report.path("memory");
      assertEquals(4, memory.size());
      assertTrue(
          memory.path(3).path("residentMb").asDouble()
              > memory.path(0).path("residentMb").asDouble());
    }
  }

  @Test
  void aShortSoakLosesMixesAndGrowsNothing() throws Exception {
    Output output = PackagedJar.run(folder, "soak", "--jobs", "600", "--seed", "7");
    assertEquals(0, output.exitCode(), output.out() + output.err());
    assertTrue(output.out().contains("lost: 0, wrong or mixed up: 0, grown: no"), output.out());
  }

  /** The soak has eyes: with restores seldom, it finds what jobs leave behind. */
  @Test
  void aSoakFindsLeaks() throws Exception {
    Output output =
        PackagedJar.run(
            folder, "soak", "--jobs", "60", "--workers", "1", "--recycle-after", "1000");
    assertEquals(1, output.exitCode(), output.out() + output.err());
    assertTrue(output.out().contains("left behind"), output.out());
    assertTrue(output.out().contains("FAILED"), output.out());
  }
}
