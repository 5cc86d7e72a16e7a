package io.pyrunr.executor.internal.wheels.resolve;

import io.pyrunr.executor.internal.packaging.PackageName;
import io.pyrunr.executor.internal.wheels.archive.PackageLock;
import io.pyrunr.executor.internal.wheels.archive.Wheel;
import io.pyrunr.executor.internal.wheels.archive.WheelPlatform;
import java.util.List;
import java.util.Optional;

/**
 * Says of what is not there whether it could be, and how: a wheel that was refused, one that a job
 * does not see, one of Pyodide's that nobody has added. Thread-safe.
 */
public final class MissingPackages {
  private final WheelPlatform platform;
  private final Candidates candidates;
  private final RefusedWheels refused;

  public MissingPackages(WheelPlatform platform, Candidates candidates, RefusedWheels refused) {
    this.platform = platform;
    this.candidates = candidates;
    this.refused = refused;
  }

  /**
   * Explains why a module cannot be imported.
   *
   * @param module a name without dots
   * @return what follows "No module named …: ", or nothing if the module is unknown here as well
   */
  public Optional<String> module(String module) {
    Optional<Wheel> hidden =
        candidates.all().stream().filter(wheel -> provides(wheel, module)).findFirst();
    if (hidden.isPresent()) {
      return hidden.map(
          wheel ->
              wheel.title() + " has it, which is not among what the job requires; add it there");
    }
    PackageLock.Entry known = platform.lock().importing(module);
    List<String> reasons = refused.of(known == null ? PackageName.normalize(module) : known.name());
    if (!reasons.isEmpty()) {
      return Optional.of("no wheel of it can be used: " + String.join("; ", reasons));
    }
    return Optional.ofNullable(known).map(MissingPackages::wayToGet);
  }

  private static boolean provides(Wheel wheel, String module) {
    return wheel.importRoots().stream()
        .anyMatch(root -> root.equals(module) || root.startsWith(module + "."));
  }

  /** Explains why a package that is needed is not there: what follows "needs …, ". */
  String requirement(String name) {
    List<String> reasons = refused.of(name);
    if (!reasons.isEmpty()) {
      return "of which no wheel can be used: " + String.join("; ", reasons);
    }
    String absent = "of which there is no wheel in the wheel cache";
    PackageLock.Entry known = platform.lock().named(name);
    return known == null ? absent : absent + "; " + command(known);
  }

  /** What a wheel that is there, but of another version, does not explain. */
  String refusedToo(String name) {
    List<String> reasons = refused.of(name);
    return reasons.isEmpty() ? "" : "; " + String.join("; ", reasons);
  }

  private static String wayToGet(PackageLock.Entry entry) {
    String what =
        entry.isStandardLibrary()
            ? "it is a part of the standard library that Pyodide keeps in a wheel, " + entry.name()
            : "it is in Pyodide's package " + entry.name();
    return what + ", which is not in the wheel cache; " + command(entry);
  }

  private static String command(PackageLock.Entry entry) {
    return "'pyrunr wheels add " + entry.name() + "' adds it";
  }
}
