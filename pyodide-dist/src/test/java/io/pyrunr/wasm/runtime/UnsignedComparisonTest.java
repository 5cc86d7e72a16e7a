package io.pyrunr.wasm.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Each comparison against the JDK's own, at the edges of both ranges. */
class UnsignedComparisonTest {
  private static final int[] INTS = {
    0, 1, 2, 4000, Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MIN_VALUE + 1, -2, -1
  };

  @Test
  void ints() {
    for (int a : INTS) {
      for (int b : INTS) {
        int order = Integer.compareUnsigned(a, b);
        assertEquals(order < 0 ? 1 : 0, UnsignedComparison.I32_LT_U(a, b));
        assertEquals(order > 0 ? 1 : 0, UnsignedComparison.I32_GT_U(a, b));
        assertEquals(order <= 0 ? 1 : 0, UnsignedComparison.I32_LE_U(a, b));
        assertEquals(order >= 0 ? 1 : 0, UnsignedComparison.I32_GE_U(a, b));
      }
    }
  }

  @Test
  void longs() {
    for (int high : INTS) {
      for (int low : INTS) {
        long a = (long) high << 32 | low & 0xffff_ffffL;
        for (long b : new long[] {0, 1, Long.MAX_VALUE, Long.MIN_VALUE, -1, a, a + 1}) {
          int order = Long.compareUnsigned(a, b);
          assertEquals(order < 0 ? 1 : 0, UnsignedComparison.I64_LT_U(a, b));
          assertEquals(order > 0 ? 1 : 0, UnsignedComparison.I64_GT_U(a, b));
          assertEquals(order <= 0 ? 1 : 0, UnsignedComparison.I64_LE_U(a, b));
          assertEquals(order >= 0 ? 1 : 0, UnsignedComparison.I64_GE_U(a, b));
        }
      }
    }
  }
}
