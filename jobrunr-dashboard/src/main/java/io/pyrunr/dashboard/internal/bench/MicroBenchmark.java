package io.pyrunr.dashboard.internal.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrunr.dashboard.internal.bench.Engine.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Small programs on one engine. They take turns, in batches, until none has become faster for a
 * while: a compiler that works in the background needs time more than repetitions of one program,
 * and all programs share the interpreter's code.
 */
final class MicroBenchmark {
  private static final int BATCH = 3;
  private static final int QUIET_BATCHES = 3;
  private static final double FASTER = 0.98;

  private final Engine engine;
  private final Programs programs;
  private final String source;
  private final Map<String, Row> rows = new LinkedHashMap<>();

  MicroBenchmark(Engine engine, Programs programs) {
    this.engine = engine;
    this.programs = programs;
    this.source = programs.source();
  }

  /**
   * One program's times.
   *
   * @param bestMs the fastest run
   * @param firstMs the first run, with nothing warm
   * @param runs how many there were
   * @param value what the program returned, each time the same
   */
  record Row(double bestMs, double firstMs, int runs, JsonNode value) {
    Row then(Row next) {
      return new Row(Math.min(bestMs, next.bestMs), firstMs, runs + next.runs, value);
    }
  }

  /**
   * Runs each program until no one gets faster, or so many times.
   *
   * @param progress told the best times at the end
   */
  Map<String, Row> run(int mostRuns, Consumer<String> progress)
      throws IOException, InterruptedException {
    int quiet = 0;
    for (int done = 0; done < mostRuns && quiet < QUIET_BATCHES; done += BATCH) {
      quiet = batch(Math.min(BATCH, mostRuns - done)) ? 0 : quiet + 1;
    }
    List<String> best = new ArrayList<>();
    rows.forEach((name, row) -> best.add("%s %.2f".formatted(name, row.bestMs())));
    progress.accept(engine.name() + ", best in ms: " + String.join(", ", best));
    return rows;
  }

  /** Returns whether a program got faster. */
  private boolean batch(int times) throws IOException, InterruptedException {
    boolean faster = false;
    for (String name : programs.names()) {
      Row row = measure(name, times);
      Row before = rows.get(name);
      if (before != null && !before.value().equals(row.value())) {
        throw new IOException(
            name + " on " + engine.name() + ": " + before.value() + ", then " + row.value());
      }
      faster |= before == null || row.bestMs() < before.bestMs() * FASTER;
      rows.put(name, before == null ? row : before.then(row));
    }
    return faster;
  }

  private Row measure(String name, int times) throws IOException, InterruptedException {
    JsonNode params = BenchJson.MAPPER.createObjectNode().put("name", name).put("times", times);
    Answer answer = engine.run(source, params, 1);
    JsonNode told = BenchJson.MAPPER.readTree(answer.value().asText());
    double best = Double.MAX_VALUE;
    for (JsonNode ms : told.path("ms")) {
      best = Math.min(best, ms.asDouble());
    }
    return new Row(best, told.path("ms").path(0).asDouble(), times, told.path("value"));
  }
}
