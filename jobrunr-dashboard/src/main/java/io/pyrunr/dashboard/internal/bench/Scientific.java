package io.pyrunr.dashboard.internal.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrunr.dashboard.internal.bench.MicroBenchmark.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * numpy and pandas out of a folder of wheels.
 *
 * @param programs small ones, warm
 * @param starts from the start of a process to the result of a job that imports something, our
 *     compiled classes being there already
 * @param preloadedImportMs what {@code import pandas} takes in a job where it is preloaded
 */
record Scientific(Comparison programs, List<Start> starts, double preloadedImportMs) {
  private static final int STARTS = 3;
  private static final int IMPORTS = 50;
  private static final String TIMED_IMPORT =
      "import time\nstart = time.perf_counter()\nimport pandas\n(time.perf_counter() - start) * 1e3";

  /** What a process was started for, and in which engine. */
  record Start(String job, String engine, StartTime time) {}

  /**
   * Measures.
   *
   * @param wheels numpy, pandas and what they need
   * @param node a folder with {@code node_modules/pyodide}, or null
   * @param runs of each program, at most
   */
  static Scientific measure(Path wheels, Path node, int runs, Consumer<String> progress)
      throws IOException, InterruptedException {
    Map<String, Map<String, Row>> engines = new LinkedHashMap<>();
    if (node != null) {
      engines.put(Comparison.NODE, programsInNode(Comparison.NODE, node, wheels, runs, progress));
    }
    progress.accept("measuring: numpy and pandas, ours; wheels are compiled once");
    double preloadedImport;
    try (Engine ours = new ExecutorEngine(wheels, "numpy", "pandas")) {
      engines.put(
          Comparison.OURS, new MicroBenchmark(ours, Programs.SCIENTIFIC).run(runs, progress));
      preloadedImport = preloadedImportMs(ours);
    }
    if (node != null) {
      engines.put(
          Comparison.NODE_AGAIN,
          programsInNode(Comparison.NODE_AGAIN, node, wheels, runs, progress));
    }
    progress.accept("measuring: process start to numpy and pandas");
    List<Start> starts = starts(wheels, node);
    starts.forEach(start -> progress.accept(start.engine + ", " + start.job + ": " + start.time));
    return new Scientific(Comparison.of(engines), starts, preloadedImport);
  }

  private static Map<String, Row> programsInNode(
      String label, Path node, Path wheels, int runs, Consumer<String> progress)
      throws IOException, InterruptedException {
    progress.accept("measuring: numpy and pandas in the same Pyodide under Node (" + label + ")");
    try (PeerEngine peer = PeerEngine.node(node, wheels)) {
      return new MicroBenchmark(peer, Programs.SCIENTIFIC).run(runs, progress);
    }
  }

  private static double preloadedImportMs(Engine engine) throws IOException, InterruptedException {
    double[] ms = new double[IMPORTS];
    for (int i = 0; i < IMPORTS; i++) {
      JsonNode value = engine.run(TIMED_IMPORT, null, 1).value();
      ms[i] = value.asDouble();
    }
    return Samples.median(ms);
  }

  private static List<Start> starts(Path wheels, Path node)
      throws IOException, InterruptedException {
    List<Start> starts = new ArrayList<>();
    for (String module : List.of("numpy", "pandas")) {
      String code = "import " + module + "\n1+1";
      starts.add(ours("import " + module, code, "--wheel-cache", wheels.toString()));
      if (node != null) {
        StartTime time = StartTime.of(STARTS, () -> StartTime.nodeMs(node, wheels, code));
        starts.add(new Start("import " + module, Comparison.NODE, time));
      }
    }
    starts.add(
        ours(
            "pandas preloaded, image kept from an earlier start",
            "import pandas\n1+1",
            "--wheel-cache",
            wheels.toString(),
            "--preload",
            "numpy,pandas"));
    return starts;
  }

  private static Start ours(String job, String code, String... options)
      throws IOException, InterruptedException {
    StartTime.oursMs(code, options); // makes what is kept
    StartTime time = StartTime.of(STARTS, () -> StartTime.oursMs(code, options));
    return new Start(job, Comparison.OURS, time);
  }
}
