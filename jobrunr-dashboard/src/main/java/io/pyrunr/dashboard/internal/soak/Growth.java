package io.pyrunr.dashboard.internal.soak;

import io.pyrunr.dashboard.internal.vitals.Vitals;
import java.io.PrintWriter;

/**
 * What a soak may add to the process. The bounds allow what is no leak: the code the JVM's compiler
 * goes on writing (at most 240 MB by default, hence the resident bound), a heap that has not
 * settled, a thread or descriptor the JVM opens for itself.
 */
final class Growth {
  private static final long HEAP = 10_000_000;
  private static final long RESIDENT = 250_000_000;
  private static final long OPEN_FILES = 4;
  private static final long THREADS = 2;

  private final Vitals before;
  private final Vitals after;
  private final long tableBefore;
  private final long tableAfter;
  private final PrintWriter out;
  private boolean exceeded;

  /**
   * @param tableBefore entries of all function tables
   * @param tableAfter the same, later
   */
  Growth(Vitals before, Vitals after, long tableBefore, long tableAfter, PrintWriter out) {
    this.before = before;
    this.after = after;
    this.tableBefore = tableBefore;
    this.tableAfter = tableAfter;
    this.out = out;
  }

  /** Prints each growth beside its bound and returns whether one is beyond. */
  boolean exceeds() {
    compare("heap in use, bytes", before.heapBytes(), after.heapBytes(), HEAP);
    compare("resident, bytes", before.residentBytes(), after.residentBytes(), RESIDENT);
    compare("open files", before.openFiles(), after.openFiles(), OPEN_FILES);
    compare("threads", before.threads(), after.threads(), THREADS);
    compare("table entries", tableBefore, tableAfter, 0);
    return exceeded;
  }

  private void compare(String what, long first, long last, long bound) {
    if (first == Vitals.UNKNOWN) {
      out.printf("growth of %s: unknown on this system%n", what);
      return;
    }
    long growth = last - first;
    out.printf(
        "growth of %s: %,d, allowed %,d%s%n",
        what, growth, bound, growth > bound ? ": TOO MUCH" : "");
    exceeded |= growth > bound;
  }

  static String megabytes(long bytes) {
    return bytes == Vitals.UNKNOWN ? "unknown" : "%.1f MB".formatted(bytes / 1e6);
  }
}
