package io.pyrunr.wasm.runtime;

/**
 * Unsigned comparisons under the names that compiled code calls them by.
 *
 * <p>JDK 17's C2 miscompiles its unsigned comparison of ints in large methods, and makes one of
 * {@code Integer.compareUnsigned} and of a comparison of sums with {@code MIN_VALUE} alike: the
 * parser then raises MemoryError out of nothing. As longs the values are compared signed.
 */
public final class UnsignedComparison {
  private static final long MASK = 0xffff_ffffL;

  private UnsignedComparison() {}

  public static int I32_LT_U(int a, int b) {
    return (a & MASK) < (b & MASK) ? 1 : 0;
  }

  public static int I32_GT_U(int a, int b) {
    return (a & MASK) > (b & MASK) ? 1 : 0;
  }

  public static int I32_LE_U(int a, int b) {
    return (a & MASK) <= (b & MASK) ? 1 : 0;
  }

  public static int I32_GE_U(int a, int b) {
    return (a & MASK) >= (b & MASK) ? 1 : 0;
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
