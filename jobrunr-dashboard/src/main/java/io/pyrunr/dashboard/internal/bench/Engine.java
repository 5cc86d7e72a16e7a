package io.pyrunr.dashboard.internal.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/** Something that runs Python and can be timed. Not thread-safe. */
interface Engine extends AutoCloseable {

  /** As it stands in tables: {@code pyrunr}, {@code node} or {@code python3}. */
  String name();

  /**
   * Runs the same job several times, one after the other, each with fresh globals.
   *
   * @param params what the code sees as {@code params}; null for none
   * @param times 1 or more
   * @throws IOException if the engine or the job fails
   */
  Answer run(String code, JsonNode params, int times) throws IOException, InterruptedException;

  @Override
  void close() throws IOException;

  /**
   * What the jobs returned and took.
   *
   * @param value of the last one
   * @param wholeMs of each job, from handing it over until the next can be
   * @param runMs of each job, by itself
   * @param restoreMs of each job, empty for an engine that leaves behind what a job did
   * @param pagesPerJob copied by the restore, 4 KiB each; null for such an engine
   */
  record Answer(
      JsonNode value, double[] wholeMs, double[] runMs, double[] restoreMs, Double pagesPerJob) {}
}
