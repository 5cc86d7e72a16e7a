package io.pyrunr.executor.internal.wheels.resolve;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Wheels that are in the folders and not used, as of the last scan: those who miss one are told
 * why. Jobs that run on an earlier set see later scans too, since a wheel that is refused makes no
 * set of its own. Thread-safe.
 */
public final class RefusedWheels {
  /** Of those who have no folders. */
  public static final RefusedWheels NONE = new RefusedWheels();

  /** By their folders: all who use the same ones are told the same, and nobody else is. */
  private static final Map<List<Path>, RefusedWheels> BY_FOLDERS = new ConcurrentHashMap<>();

  private volatile Map<String, List<String>> reasons = Map.of();

  private RefusedWheels() {}

  /** The one of some folders in this JVM. */
  public static RefusedWheels in(List<Path> folders) {
    return BY_FOLDERS.computeIfAbsent(List.copyOf(folders), unused -> new RefusedWheels());
  }

  /**
   * Takes what a scan has found: one line per wheel with reason and way out, by normalised name.
   */
  public void set(Map<String, List<String>> value) {
    reasons = Map.copyOf(value);
  }

  /** Why the wheels of a package are not used; empty if none is refused. */
  List<String> of(String name) {
    return reasons.getOrDefault(name, List.of());
  }
}
