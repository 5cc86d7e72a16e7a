package io.pyrunr.executor.internal.emscripten;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.Random;

/** What a program sees of chance and time. */
public interface Surroundings {
  /** Those of this machine; each instance has its own. */
  static Surroundings real() {
    SecureRandom random = new SecureRandom();
    return new Surroundings() {
      @Override
      public void random(byte[] target) {
        random.nextBytes(target);
      }

      @Override
      public Instant now() {
        return Instant.now();
      }

      @Override
      public long nanoTime() {
        return System.nanoTime();
      }
    };
  }

  /**
   * Always the same, so that an image made in them is. Nothing in it is a secret: the image in a
   * jar can be read by everybody anyway, and what jobs must not foresee is drawn anew before each.
   */
  static Surroundings repeatable() {
    Random random = new Random(1);
    return new Surroundings() {
      private static final long STEP_NANOS = 1_000;
      private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

      private long nanos;

      @Override
      public void random(byte[] target) {
        random.nextBytes(target);
      }

      @Override
      public Instant now() {
        return START.plusNanos(nanoTime());
      }

      /** Time passes by being asked for; a program that waits for it is not kept for ever. */
      @Override
      public long nanoTime() {
        nanos += STEP_NANOS;
        return nanos;
      }
    };
  }

  /** Fills an array with numbers that nobody can foresee. */
  void random(byte[] target);

  /** The time of day. */
  Instant now();

  /** Nanoseconds since some moment; never goes back. */
  long nanoTime();
}
