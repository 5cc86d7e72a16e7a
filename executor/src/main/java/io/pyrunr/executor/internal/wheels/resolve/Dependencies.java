package io.pyrunr.executor.internal.wheels.resolve;

import io.pyrunr.executor.internal.packaging.Requirement;
import io.pyrunr.executor.internal.wheels.archive.PackageLock;
import io.pyrunr.executor.internal.wheels.archive.Wheel;
import io.pyrunr.executor.internal.wheels.archive.WheelPlatform;
import io.pyrunr.wasm.runtime.StopSignal;
import java.util.List;
import java.util.Set;

/**
 * What wheels need where we run.
 *
 * <p>Of packages that upstream has built, its lock file knows better than their metadata: what that
 * leaves out (pandas' {@code tzdata}) is used if it is there and not missed otherwise.
 */
public final class Dependencies {
  private final WheelPlatform platform;
  private final Candidates candidates;

  public Dependencies(WheelPlatform platform, Candidates candidates) {
    this.platform = platform;
    this.candidates = candidates;
  }

  /** The requirements of a wheel that apply, given the extras asked for of it. */
  public List<Requirement> of(Wheel wheel, Set<String> extras) {
    StopSignal.poll(); // a job may be what asks, again and again
    return wheel.metadata().requirements().stream()
        .filter(requirement -> requirement.applies(platform.markers(), extras))
        .filter(requirement -> isNeeded(wheel, requirement))
        .toList();
  }

  private boolean isNeeded(Wheel wheel, Requirement requirement) {
    PackageLock.Entry known = platform.lock().file(wheel.fileName().text());
    return known == null
        || !known.sha256().equals(wheel.sha256())
        || known.depends().contains(requirement.name())
        || !candidates.of(requirement.name()).isEmpty();
  }
}
