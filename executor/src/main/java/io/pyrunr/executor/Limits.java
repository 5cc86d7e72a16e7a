package io.pyrunr.executor;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * What one job may use. Every figure is positive.
 *
 * @param wallTime from the job's start to its soft stop; the hard stop follows at most {@link
 *     #GRACE} later
 * @param memoryBytes linear memory of the interpreter, its own start-up share included; rounded up
 *     to pages of 64 KiB. What the interpreter has when a job begins is not taken away: with less
 *     than that, memory does not grow
 * @param outputBytes captured from each of stdout and stderr; the rest is dropped and the result
 *     says so
 * @param fileBytes the job may hold in files at one time
 * @param resultBytes of the result's JSON text
 */
public record Limits(
    Duration wallTime, long memoryBytes, int outputBytes, long fileBytes, int resultBytes) {

  /** Time a job has to run its {@code finally} blocks between the soft and the hard stop. */
  public static final Duration GRACE = Duration.ofMillis(250);

  /** 30 s, 512 MiB of memory, 64 KiB of output, 64 MiB of files, 16 MiB of result. */
  public static final Limits DEFAULT =
      new Limits(Duration.ofSeconds(30), 512L << 20, 64 << 10, 64L << 20, 16 << 20);

  /** As good as none: a ceiling to begin with. */
  public static final Limits UNBOUNDED =
      new Limits(
          Duration.ofNanos(Long.MAX_VALUE),
          Long.MAX_VALUE,
          Integer.MAX_VALUE,
          Long.MAX_VALUE,
          Integer.MAX_VALUE);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the first figure that is not positive
   */
  public Limits {
    positive("wallTime", nanos(wallTime));
    positive("memoryBytes", memoryBytes);
    positive("outputBytes", outputBytes);
    positive("fileBytes", fileBytes);
    positive("resultBytes", resultBytes);
  }

  public Limits withWallTime(Duration value) {
    return new Limits(value, memoryBytes, outputBytes, fileBytes, resultBytes);
  }

  public Limits withMemoryBytes(long value) {
    return new Limits(wallTime, value, outputBytes, fileBytes, resultBytes);
  }

  public Limits withOutputBytes(int value) {
    return new Limits(wallTime, memoryBytes, value, fileBytes, resultBytes);
  }

  public Limits withFileBytes(long value) {
    return new Limits(wallTime, memoryBytes, outputBytes, value, resultBytes);
  }

  public Limits withResultBytes(int value) {
    return new Limits(wallTime, memoryBytes, outputBytes, fileBytes, value);
  }

  /** The smaller of both, figure by figure. */
  public Limits atMost(Limits most) {
    return new Limits(
        wallTime.compareTo(most.wallTime) <= 0 ? wallTime : most.wallTime,
        Math.min(memoryBytes, most.memoryBytes),
        Math.min(outputBytes, most.outputBytes),
        Math.min(fileBytes, most.fileBytes),
        Math.min(resultBytes, most.resultBytes));
  }

  private static long nanos(Duration time) {
    try {
      return requireNonNull(time, "wallTime").toNanos();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("wallTime is " + time + "; 292 years are the most", e);
    }
  }

  private static void positive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " is " + value + "; it must be positive");
    }
  }
}
