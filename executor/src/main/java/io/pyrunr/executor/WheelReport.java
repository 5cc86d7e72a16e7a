package io.pyrunr.executor;

import java.nio.file.Path;
import java.util.List;

/**
 * What a wheel cache holds. Immutable.
 *
 * @param wheels all of them, by file
 * @param problems with the choice among them, such as pins that nothing meets; one line each
 */
public record WheelReport(List<Entry> wheels, List<String> problems) {

  public WheelReport {
    wheels = List.copyOf(wheels);
    problems = List.copyOf(problems);
  }

  /**
   * A wheel in the cache.
   *
   * @param file the wheel
   * @param name normalised name of the package, or null if the file name does not tell
   * @param version of the package, or null likewise
   * @param problem why it cannot be used and what to do, or null if it can
   * @param chosen whether it is the version that jobs see by default
   * @param requires what it needs here, extras left out
   * @param missing those of its requirements that no chosen wheel meets, each with why and what to
   *     do
   * @param unpackedBytes of its files, 0 if it cannot be used
   * @param compiledBytes of what was compiled ahead, 0 before it was
   */
  public record Entry(
      Path file,
      String name,
      String version,
      String problem,
      boolean chosen,
      List<String> requires,
      List<String> missing,
      long unpackedBytes,
      long compiledBytes) {

    public boolean usable() {
      return problem == null;
    }

    /** Whether it can be used and has all it needs. */
    public boolean sound() {
      return usable() && missing.isEmpty();
    }
  }

  /** Whether every wheel can be used and has all it needs. */
  public boolean sound() {
    return problems.isEmpty() && wheels.stream().allMatch(Entry::sound);
  }
}
