package io.pyrunr.executor.internal.fs;

import java.time.Instant;

/**
 * A moment as {@code struct timespec} holds it.
 *
 * @param seconds since 1970-01-01T00:00Z, may be negative
 * @param nanos 0 to 999,999,999
 */
public record Timestamp(long seconds, int nanos) {
  static Timestamp now() {
    Instant now = Instant.now();
    return new Timestamp(now.getEpochSecond(), now.getNano());
  }
}
