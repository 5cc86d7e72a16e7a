package io.pyrunr.dashboard.internal.bench;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.pyrunr.dashboard.internal.bench.MicroBenchmark.Row;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The same programs on several engines.
 *
 * @param engines times by engine and program; {@code node} and {@code node again} stand for before
 *     and after ours
 * @param timesNode how many times as long as Node's better run ours took, by program; null without
 *     Node
 * @param timesNodeMean geometric mean of these
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Comparison(
    Map<String, Map<String, Row>> engines, Map<String, Double> timesNode, Double timesNodeMean) {
  static final String OURS = "pyrunr";
  static final String NODE = "node";
  static final String NODE_AGAIN = "node again";

  /**
   * Compares what was measured.
   *
   * @throws IOException naming the first program whose values differ
   */
  static Comparison of(Map<String, Map<String, Row>> engines) throws IOException {
    requireSameValues(engines);
    if (!engines.containsKey(NODE)) {
      return new Comparison(engines, null, null);
    }
    Map<String, Double> ratios = new LinkedHashMap<>();
    engines
        .get(OURS)
        .forEach(
            (name, row) -> {
              double before = engines.get(NODE).get(name).bestMs();
              double after = engines.get(NODE_AGAIN).get(name).bestMs();
              ratios.put(name, row.bestMs() / Math.min(before, after));
            });
    return new Comparison(engines, ratios, geometricMean(ratios.values()));
  }

  private static double geometricMean(Iterable<Double> ratios) {
    double logarithms = 0;
    int count = 0;
    for (double ratio : ratios) {
      logarithms += Math.log(ratio);
      count++;
    }
    return Math.exp(logarithms / count);
  }

  private static void requireSameValues(Map<String, Map<String, Row>> engines) throws IOException {
    for (String name : engines.get(OURS).keySet()) {
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
