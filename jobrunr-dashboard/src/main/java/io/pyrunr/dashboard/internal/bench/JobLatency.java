package io.pyrunr.dashboard.internal.bench;

import io.pyrunr.dashboard.internal.bench.Engine.Answer;
import java.io.IOException;

/**
 * How long a whole job takes, its own run and what makes the interpreter pristine again.
 *
 * @param engine that ran it
 * @param job what it does
 * @param jobs that were measured, after as many to warm up
 * @param runP50Ms half of the runs took at most this
 * @param runP99Ms 99 per cent of the runs took at most this
 * @param restoreP50Ms null for an engine that restores nothing
 * @param restoreP99Ms null for an engine that restores nothing
 * @param wholeP50Ms from handing a job over until its result is there and the next can run
 * @param wholeP99Ms the same
 * @param pagesPerJob of 4 KiB, copied by the restore; null for an engine that restores nothing
 */
record JobLatency(
    String engine,
    String job,
    int jobs,
    double runP50Ms,
    double runP99Ms,
    Double restoreP50Ms,
    Double restoreP99Ms,
    double wholeP50Ms,
    double wholeP99Ms,
    Double pagesPerJob) {

  /** The jobs that are measured. The last takes long, so there are fewer of it. */
  enum Kind {
    ONE_PLUS_ONE("1+1", "1+1", 1),
    SMALL_FUNCTION("small function, json.dumps", BenchScript.read("small.py"), 1),
    IMPORTS("imports json, re, datetime", BenchScript.read("imports.py"), 20);

    final String title;
    private final String code;
    private final int rarer;

    Kind(String title, String code, int rarer) {
      this.title = title;
      this.code = code;
      this.rarer = rarer;
    }
  }

  /** One line for people. */
  @Override
  public String toString() {
    return "%s, %s, whole job in ms: half within %s, 99 %% within %s"
        .formatted(engine, job, BenchTable.number(wholeP50Ms), BenchTable.number(wholeP99Ms));
  }

  static JobLatency measure(Engine engine, Kind kind, String note, int jobs)
      throws IOException, InterruptedException {
    int count = Math.max(1, jobs / kind.rarer);
    engine.run(kind.code, null, count);
    Answer answer = engine.run(kind.code, null, count);
    double[] run = answer.runMs();
    double[] restore = answer.restoreMs();
    boolean restores = restore.length > 0;
    double[] whole = answer.wholeMs();
    return new JobLatency(
        engine.name(),
        kind.title + note,
        count,
        Samples.percentile(50, run),
        Samples.percentile(99, run),
        restores ? Samples.percentile(50, restore) : null,
        restores ? Samples.percentile(99, restore) : null,
        Samples.percentile(50, whole),
        Samples.percentile(99, whole),
        answer.pagesPerJob());
  }
}
