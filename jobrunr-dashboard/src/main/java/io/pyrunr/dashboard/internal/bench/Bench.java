package io.pyrunr.dashboard.internal.bench;

import io.pyrunr.dashboard.internal.bench.JobLatency.Kind;
import io.pyrunr.dashboard.internal.bench.MicroBenchmark.Row;
import io.pyrunr.dashboard.internal.vitals.Vitals;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Measures everything in one run: Node, ours, Node again, so that a machine that got slower or
 * faster meanwhile shows.
 */
public final class Bench {
  private static final int MOST_STARTS = 5;
  private static final int MOST_STOPS = 20;
  private static final int COPIES = 50;

  private final Settings settings;
  private final Consumer<String> progress;

  private final Map<String, Map<String, Row>> micro = new LinkedHashMap<>();
  private final List<JobLatency> latencies = new ArrayList<>();

  /**
   * What to measure.
   *
   * @param runs of each small program, at most
   * @param jobs whose latency is measured
   * @param node a folder with {@code node_modules/pyodide}, or null
   * @param python3 a native Python, or null
   * @param wheels a folder with numpy, pandas and what they need, or null
   */
  public record Settings(int runs, int jobs, Path node, Path python3, Path wheels) {}

  /**
   * @param progress told what is measured next, and what came out
   */
  public Bench(Settings settings, Consumer<String> progress) {
    this.settings = settings;
    this.progress = progress;
  }

  /**
   * Measures and writes.
   *
   * @return a table to read, or JSON
   * @throws IOException if an engine fails or they disagree about a value
   */
  public String run(boolean json) throws IOException, InterruptedException {
    BenchReport report = measure();
    return json
        ? BenchJson.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(report)
        : BenchTable.of(report);
  }

  /** One row of the memory table, for this process; JSON. */
  public static String residentMemory(int interpreters) throws IOException, InterruptedException {
    return BenchJson.MAPPER.writeValueAsString(ResidentMemory.here(interpreters));
  }

  private BenchReport measure() throws IOException, InterruptedException {
    Map<String, String> environment = environment();
    Map<String, StartTime> starts = starts();
    List<ResidentMemory> memory = memory();
    Double newInterpreter = null;
    if (settings.node() != null) {
      newInterpreter = node(Comparison.NODE, true);
    }
    ours();
    if (settings.node() != null) {
      node(Comparison.NODE_AGAIN, false);
    }
    if (settings.python3() != null) {
      progress.accept("measuring: native Python");
      try (Engine python = PeerEngine.python3(settings.python3())) {
        micro.put(python.name(), programs(python));
      }
    }
    Comparison python = Comparison.of(micro); // before more minutes are spent
    Scientific scientific =
        settings.wheels() == null
            ? null
            : Scientific.measure(settings.wheels(), settings.node(), settings.runs(), progress);
    return new BenchReport(
        environment,
        python,
        scientific,
        latencies,
        wholeCopyMs(),
        newInterpreter,
        stops(),
        starts,
        memory);
  }

  /** Returns what another interpreter costs, if that is asked for, in milliseconds. */
  private Double node(String label, boolean another) throws IOException, InterruptedException {
    progress.accept("measuring: the same Pyodide under Node (" + label + ")");
    try (PeerEngine node = PeerEngine.node(settings.node())) {
      micro.put(label, programs(node));
      String note = ", fresh dict" + (another ? "" : ", again");
      for (Kind kind : Kind.values()) {
        latency(node, kind, note);
      }
      return another ? node.interpreters(2).path("loadMs").asDouble() : null;
    }
  }

  private Map<String, Row> programs(Engine engine) throws IOException, InterruptedException {
    return new MicroBenchmark(engine, Programs.PYTHON).run(settings.runs(), progress);
  }

  private void latency(Engine engine, Kind kind, String note)
      throws IOException, InterruptedException {
    JobLatency latency = JobLatency.measure(engine, kind, note, settings.jobs());
    latencies.add(latency);
    progress.accept(latency.toString());
  }

  private void ours() throws IOException, InterruptedException {
    progress.accept("measuring: ours");
    try (Engine ours = new ExecutorEngine()) {
      micro.put(Comparison.OURS, programs(ours));
      for (Kind kind : Kind.values()) {
        latency(ours, kind, "");
      }
    }
    progress.accept("measuring: ours, modules preloaded");
    try (Engine preloaded = new ExecutorEngine("json", "re", "datetime")) {
      latency(preloaded, Kind.IMPORTS, ", preloaded");
    }
  }

  private List<StopTime> stops() throws IOException, InterruptedException {
    progress.accept("measuring: stops");
    return StopTime.measure(Math.min(MOST_STOPS, settings.runs()));
  }

  private Map<String, StartTime> starts() throws IOException, InterruptedException {
    progress.accept("measuring: process start to first result");
    int runs = Math.min(MOST_STARTS, settings.runs());
    double[] ours = new double[runs];
    double[] node = new double[runs];
    for (int i = 0; i < runs; i++) {
      ours[i] = StartTime.oursMs("1+1", "--no-wheel-cache");
      if (settings.node() != null) {
        node[i] = StartTime.nodeMs(settings.node(), null, "1+1");
      }
    }
    Map<String, StartTime> starts = new LinkedHashMap<>();
    starts.put(Comparison.OURS, StartTime.of(ours));
    if (settings.node() != null) {
      starts.put(Comparison.NODE, StartTime.of(node));
    }
    starts.forEach((engine, time) -> progress.accept(engine + ", start: " + time));
    return starts;
  }

  private List<ResidentMemory> memory() throws IOException, InterruptedException {
    if (Vitals.now().residentBytes() == Vitals.UNKNOWN) {
      return null;
    }
    progress.accept("measuring: resident memory");
    List<ResidentMemory> rows = new ArrayList<>(ResidentMemory.ours());
    if (settings.node() != null) {
      rows.addAll(ResidentMemory.node(settings.node()));
    }
    return rows;
  }

  private static double wholeCopyMs() {
    byte[] image = new byte[BenchReport.COPIED_BYTES];
    byte[] memory = new byte[BenchReport.COPIED_BYTES];
    double[] ms = new double[COPIES];
    for (int i = 0; i < COPIES; i++) {
      long start = System.nanoTime();
      System.arraycopy(image, 0, memory, 0, memory.length);
      ms[i] = (System.nanoTime() - start) / 1e6;
    }
    return Samples.median(ms);
  }

  private static Map<String, String> environment() {
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("when", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    environment.put("java", Runtime.version().toString());
    environment.put(
        "options", String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
    environment.put("system", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    environment.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    environment.put("loadBefore", load < 0 ? "unknown" : "%.2f".formatted(load));
    return environment;
  }
}
