package io.pyrunr.wasm.runtime;

/**
 * Unsigned comparisons in plain arithmetic, under the names that compiled code calls them by.
 *
 * <p>JDK 17's C2 miscompiles {@code Integer.compareUnsigned} in large methods; and what it is made
 * of takes C1 three branches where one does.
 */
public final class UnsignedComparison {
  private UnsignedComparison() {}

  public static int I32_LT_U(int a, int b) {
    return a + Integer.MIN_VALUE < b + Integer.MIN_VALUE ? 1 : 0;
  }

  public static int I32_GT_U(int a, int b) {
    return a + Integer.MIN_VALUE > b + Integer.MIN_VALUE ? 1 : 0;
  }

  public static int I32_LE_U(int a, int b) {
    return a + Integer.MIN_VALUE <= b + Integer.MIN_VALUE ? 1 : 0;
  }

  public static int I32_GE_U(int a, int b) {
    return a + Integer.MIN_VALUE >= b + Integer.MIN_VALUE ? 1 : 0;
  }

  public static int I64_LT_U(long a, long b) {
    return a + Long.MIN_VALUE < b + Long.MIN_VALUE ? 1 : 0;
  }

  public static int I64_GT_U(long a, long b) {
    return a + Long.MIN_VALUE > b + Long.MIN_VALUE ? 1 : 0;
  }

  public static int I64_LE_U(long a, long b) {
    return a + Long.MIN_VALUE <= b + Long.MIN_VALUE ? 1 : 0;
  }

  public static int I64_GE_U(long a, long b) {
    return a + Long.MIN_VALUE >= b + Long.MIN_VALUE ? 1 : 0;
  }
}
