package io.pyrunr.dashboard.internal.vitals;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

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

  /** Collects garbage, which can take a second, then looks. */
  public static Vitals now() {
    // One collection lets reference queues and cleaners run, and what they release goes with
    // another.
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return new Vitals(
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
        resident(),
        openFileCount(),
        ManagementFactory.getThreadMXBean().getThreadCount());
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
