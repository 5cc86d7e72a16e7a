package io.pyrunr.dashboard.internal.bench;

import java.util.Arrays;

/** Percentiles of measured times, by nearest rank. */
final class Samples {

  private Samples() {}

  static double median(double... samples) {
    return percentile(50, samples);
  }

  /**
   * The least sample that so many per cent of all do not exceed.
   *
   * @param percent above 0, up to 100
   * @param samples one or more, in any order
   */
  static double percentile(int percent, double... samples) {
    double[] sorted = samples.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.ceil(percent / 100.0 * sorted.length) - 1];
  }
}
