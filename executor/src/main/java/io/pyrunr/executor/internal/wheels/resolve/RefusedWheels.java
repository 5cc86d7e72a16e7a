package io.pyrunr.executor.internal.wheels.resolve;

import java.util.List;
import java.util.Map;

/**
 * Wheels that are in the folders and not used, as of the last scan: those who miss one are told
 * why. Jobs that run on an earlier set see later scans too, since a wheel that is refused makes no
 * set of its own. Thread-safe.
 */
public final class RefusedWheels {
  private volatile Map<String, List<String>> reasons = Map.of();

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
