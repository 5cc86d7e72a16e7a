package io.pyrunr.executor.internal.wheels;

import io.pyrunr.executor.internal.packaging.MarkerEnvironment;
import io.pyrunr.executor.internal.packaging.Requirement;
import java.util.List;
import java.util.Set;

/** What wheels need where we run. */
final class Dependencies {
  private final MarkerEnvironment markers;

  Dependencies(MarkerEnvironment markers) {
    this.markers = markers;
  }

  /** The requirements of a wheel that apply, given the extras asked for of it. */
  List<Requirement> of(Wheel wheel, Set<String> extras) {
    return wheel.metadata().requirements().stream()
        .filter(requirement -> requirement.applies(markers, extras))
        .toList();
  }
}
