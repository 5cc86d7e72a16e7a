package io.pyrunr.dashboard.internal.bench;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/**
 * All that was measured, as it is written to JSON. Parts that were not measured are null.
 *
 * @param environment where: Java, system, cores, load
 * @param python programs of Python alone
 * @param scientific numpy and pandas
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
    Comparison python,
    Scientific scientific,
    List<JobLatency> latencies,
    double wholeCopyMs,
    Double nodeNewInterpreterMs,
    List<StopTime> stops,
    Map<String, StartTime> starts,
    List<ResidentMemory> memory) {

  /** Pyodide's memory before anything has grown it: 320 pages of 64 KiB. */
  static final int COPIED_BYTES = 320 << 16;
}
