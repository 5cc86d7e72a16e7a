package io.pyrunr.dashboard.internal.vitals;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What this process holds. A figure that the system does not tell is {@link #UNKNOWN}.
 *
 * @param heapBytes that are reachable: used after a garbage collection
 * @param residentBytes of memory, as the system counts them; Linux only
 * @param openFiles descriptors; not on Windows
 * @param threads of Java
 */
public record Vitals(long heapBytes, long residentBytes, long openFiles, int threads) {
  public static final long UNKNOWN = -1;

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String RESIDENT = "VmRSS:";
  private static final int COLLECTIONS = 3;
  private static final int SETTLING_STEPS = 40;
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final long SETTLED = 1 << 20;

  /** Collects garbage and lets the process settle, which can take seconds, then looks. */
  public static Vitals now() {
    // One collection lets reference queues and cleaners run, and what they release goes with
    // another.
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return new Vitals(
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
        settledResident(),
        openFileCount(),
        ManagementFactory.getThreadMXBean().getThreadCount());
  }

  /** The collector gives memory back on a thread of its own, piece by piece, after it is done. */
  private static long settledResident() {
    long last = resident();
    for (int quiet = 0, i = 0; quiet < 3 && i < SETTLING_STEPS; i++) {
      LockSupport.parkNanos(STEP_NANOS);
      long now = resident();
      quiet = last - now < SETTLED ? quiet + 1 : 0;
      last = now;
    }
    return last;
  }

  private static long resident() {
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith(RESIDENT)) {
          String kibibytes = line.substring(RESIDENT.length()).replace("kB", "").strip();
          return Long.parseLong(kibibytes) << 10;
        }
      }
    } catch (IOException e) {
      return UNKNOWN; // no Linux
    }
    return UNKNOWN;
  }

  private static long openFileCount() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getOpenFileDescriptorCount()
        : UNKNOWN;
  }
}
