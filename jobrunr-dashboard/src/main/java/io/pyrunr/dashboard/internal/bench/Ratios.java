package io.pyrunr.dashboard.internal.bench;

import io.pyrunr.dashboard.internal.bench.MicroBenchmark.Row;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Compares engines row by row. */
final class Ratios {

  private Ratios() {}

  /** How many times as long ours took as the better of Node's runs. */
  static Map<String, Double> timesNode(
      Map<String, Row> ours, Map<String, Row> before, Map<String, Row> after) {
    Map<String, Double> ratios = new LinkedHashMap<>();
    ours.forEach(
        (name, row) ->
            ratios.put(
                name,
                row.bestMs() / Math.min(before.get(name).bestMs(), after.get(name).bestMs())));
    return ratios;
  }

  static double geometricMean(Iterable<Double> ratios) {
    double logarithms = 0;
    int count = 0;
    for (double ratio : ratios) {
      logarithms += Math.log(ratio);
      count++;
    }
    return Math.exp(logarithms / count);
  }

  /**
   * Checks that the engines agree.
   *
   * @throws IOException naming the first program whose values differ
   */
  static void requireSameValues(Map<String, Map<String, Row>> engines) throws IOException {
    for (String name : MicroBenchmark.NAMES) {
      if (engines.values().stream().map(rows -> rows.get(name).value()).distinct().count() > 1) {
        StringBuilder values = new StringBuilder();
        engines.forEach(
            (engine, rows) ->
                values.append(' ').append(engine).append(": ").append(rows.get(name).value()));
        throw new IOException("the engines disagree about " + name + ":" + values);
      }
    }
  }
}
