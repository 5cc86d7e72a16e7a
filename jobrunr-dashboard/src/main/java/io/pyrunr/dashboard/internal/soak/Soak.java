package io.pyrunr.dashboard.internal.soak;

import io.pyrunr.dashboard.internal.vitals.Vitals;
import io.pyrunr.executor.PythonExecutor;
import io.pyrunr.executor.PythonJob;
import io.pyrunr.executor.PythonResult;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs jobs of all kinds, checks each result and compares what the process holds before and after.
 * A first part of the jobs warms up: classes get loaded, the compiler's and the heap's share of
 * memory grow to their size.
 */
public final class Soak {
  private static final int MOST_WARM_UP_JOBS = 5_000;
  private static final int IN_FLIGHT_PER_WORKER = 4;
  private static final int PATIENCE_MINUTES = 10;
  private static final int COMPLAINTS_SHOWN = 20;
  private static final int PROGRESS_LINES = 10;
  private static final int PROBES_PER_WORKER = 8;

  private static final String TABLE_PROBE =
      """
      import ctypes, time
      function = ctypes.CFUNCTYPE(None)(lambda: None)
      time.sleep(0.01)  # so that one interpreter does not take all
      ctypes.cast(function, ctypes.c_void_p).value
      """;

  private final int jobs;
  private final int workers;
  private final int recycleAfter;
  private final long seed;
  private final PrintWriter out;

  private final Map<JobKind, Integer> counts = new EnumMap<>(JobKind.class);
  private final AtomicInteger ended = new AtomicInteger();
  private final AtomicInteger wrong = new AtomicInteger();

  /**
   * @param jobs warm-up included, 1 or more
   * @param recycleAfter jobs between restores; above 1 jobs leave things behind, and this finds
   *     them
   * @param seed of the order of jobs; which of them meet on the workers is up to chance
   */
  public Soak(int jobs, int workers, int recycleAfter, long seed, PrintWriter out) {
    this.jobs = jobs;
    this.workers = workers;
    this.recycleAfter = recycleAfter;
    this.seed = seed;
    this.out = out;
  }

  /** Returns whether nothing was lost or wrong and nothing grew beyond its bound. */
  public boolean run() throws InterruptedException {
    Random random = new Random(seed);
    int warmUp = Math.min(MOST_WARM_UP_JOBS, jobs / 2);
    try (var executor =
        PythonExecutor.builder().workers(workers).recycleAfter(recycleAfter).build()) {
      say("%d jobs on %d workers, seed %d", jobs, workers, seed);
      runJobs(executor, random, 0, warmUp);
      Vitals before = Vitals.now();
      long tableBefore = tableEntries(executor);
      say("after %d jobs to warm up: %s", warmUp, text(before, tableBefore));
      long start = System.nanoTime();
      runJobs(executor, random, warmUp, jobs);
      double seconds = (System.nanoTime() - start) / 1e9;
      Vitals after = Vitals.now();
      var statistics = executor.statistics();
      long tableAfter = tableEntries(executor);
      say("after %d jobs: %s", jobs, text(after, tableAfter));
      say("%.0f jobs per second; kinds: %s", (jobs - warmUp) / seconds, counts);
      say(
          "%d restores of %d pages each, %d interpreters replaced",
          statistics.restores(),
          statistics.restoredPages() / Math.max(1, statistics.restores()),
          statistics.replacements());
      int probes = workers * PROBES_PER_WORKER; // the first of them
      int lost = jobs - ended.get();
      Growth growth = new Growth(before, after, tableBefore, tableAfter, out);
      boolean grown = growth.exceeds();
      boolean good = lost == 0 && wrong.get() == 0 && statistics.jobs() == jobs + probes && !grown;
      say(
          "lost: %d, wrong or mixed up: %d, grown: %s: %s",
          lost, wrong.get(), grown ? "yes" : "no", good ? "passed" : "FAILED");
      return good;
    }
  }

  /**
   * The most entries that the function table of an interpreter has, as jobs see it: a function that
   * ctypes makes gets the next one. Several jobs an interpreter, as nobody says who gets which.
   */
  private long tableEntries(PythonExecutor executor) throws InterruptedException {
    List<CompletableFuture<PythonResult>> probes = new ArrayList<>();
    for (int i = 0; i < workers * PROBES_PER_WORKER; i++) {
      probes.add(executor.submit(PythonJob.of(TABLE_PROBE)));
    }
    long most = 0;
    for (CompletableFuture<PythonResult> probe : probes) {
      most = Math.max(most, probe.join().valueOrThrow(Long.class));
    }
    return most;
  }

  private void runJobs(PythonExecutor executor, Random random, int first, int end)
      throws InterruptedException {
    int capacity = workers * IN_FLIGHT_PER_WORKER;
    Semaphore slots = new Semaphore(capacity);
    for (int number = first; number < end; number++) {
      if (!slots.tryAcquire(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
        return; // what is missing counts as lost
      }
      submit(executor, JobKind.random(random), number, slots);
      if ((number + 1) % Math.max(1, jobs / PROGRESS_LINES) == 0) {
        say("  %d", number + 1);
      }
    }
    boolean unused = slots.tryAcquire(capacity, PATIENCE_MINUTES, TimeUnit.MINUTES);
  }

  private void submit(PythonExecutor executor, JobKind kind, int number, Semaphore slots) {
    counts.merge(kind, 1, Integer::sum);
    var unused =
        executor
            .submit(kind.job(number))
            .whenComplete(
                (result, failure) -> {
                  try {
                    check(kind, number, result, failure);
                  } finally {
                    slots.release();
                  }
                });
  }

  private void check(JobKind kind, int number, PythonResult result, Throwable failure) {
    if (failure != null) {
      complain(kind, number, failure.toString()); // not counted as ended: its result is lost
      return;
    }
    ended.incrementAndGet();
    boolean right;
    try {
      right = kind.isRight(result, number);
    } catch (RuntimeException e) {
      right = false;
    }
    if (!right) {
      wrong.incrementAndGet();
      complain(
          kind, number, result.status() + " " + brief(result.valueJson()) + " " + result.error());
    }
  }

  private void complain(JobKind kind, int number, String what) {
    if (wrong.get() <= COMPLAINTS_SHOWN) {
      say("job %d (%s) gave %s", number, kind, what);
    }
  }

  private static String brief(String json) {
    return json.length() <= 200 ? json : json.substring(0, 200) + "…";
  }

  private static String text(Vitals vitals, long tableEntries) {
    return "heap in use %s, resident %s, open files %s, threads %d, table entries %d"
        .formatted(
            Growth.megabytes(vitals.heapBytes()),
            Growth.megabytes(vitals.residentBytes()),
            vitals.openFiles() == Vitals.UNKNOWN ? "unknown" : vitals.openFiles(),
            vitals.threads(),
            tableEntries);
  }

  private void say(String form, Object... values) {
    String line = form.formatted(values);
    synchronized (out) {
      out.println(line);
      out.flush();
    }
  }
}
