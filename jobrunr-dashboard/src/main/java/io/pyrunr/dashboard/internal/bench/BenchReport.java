package io.pyrunr.dashboard.internal.bench;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.pyrunr.dashboard.internal.bench.MicroBenchmark.Row;
import java.util.List;
import java.util.Map;

/**
 * All that was measured, as it is written to JSON. Parts that were not measured are null.
 *
 * @param environment where: Java, system, cores, load
 * @param micro times of the ten programs, by engine and program; {@code node} and {@code node
 *     again} stand for before and after ours
 * @param timesNode how many times as long as Node's better run ours took, by program
 * @param timesNodeMean geometric mean of these
 * @param latencies of whole jobs
 * @param wholeCopyMs median time to copy {@link #COPIED_BYTES}: what a restore would cost that does
 *     not know what changed
 * @param nodeNewInterpreterMs what isolation costs under Node: loading another Pyodide
 * @param stops how late jobs end that would not end by themselves
 * @param starts by engine
 * @param memory by number of interpreters
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record BenchReport(
    Map<String, String> environment,
    Map<String, Map<String, Row>> micro,
    Map<String, Double> timesNode,
    Double timesNodeMean,
    List<JobLatency> latencies,
    double wholeCopyMs,
    Double nodeNewInterpreterMs,
    List<StopTime> stops,
    Map<String, StartTime> starts,
    List<ResidentMemory> memory) {

  /** Pyodide's memory before anything has grown it: 320 pages of 64 KiB. */
  static final int COPIED_BYTES = 320 << 16;
}
