package io.pyrunr.executor.internal.fs;

import java.time.Instant;

/**
 * A moment as {@code struct timespec} holds it.
 *
 * @param seconds since 1970-01-01T00:00Z, may be negative
 * @param nanos 0 to 999,999,999
 */
public record Timestamp(long seconds, int nanos) {
  /**
   * The time, as files are stamped with it: in whole microseconds, since Pyodide's {@code os.utime}
   * sets no more, and of those one that a {@code float} of seconds does not fall short of, since
   * {@code os.utime} rounds down. So what a program reads of a file's times it can write to another
   * one, either way, and reads the same of that. May be some microseconds early.
   */
  public static Timestamp now() {
    Instant now = Instant.now();
    long seconds = now.getEpochSecond();
    int micros = now.getNano() / 1000;
    while (!survivesFloat(seconds, micros)) {
      micros--; // at the latest 0 does
    }
    return new Timestamp(seconds, micros * 1000);
  }

  /** Whether {@code st_mtime}, rounded down to microseconds, is what it was made of. */
  private static boolean survivesFloat(long seconds, int micros) {
    double time = seconds + 1e-9 * (micros * 1000);
    return (int) Math.floor((time - seconds) * 1e9) / 1000 == micros;
  }
}
