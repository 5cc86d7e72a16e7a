package io.pyrunr.executor.internal.wheels.resolve;

import io.pyrunr.executor.internal.wheels.archive.Wheel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The wheels there are of each package, the one to prefer first: final versions before
 * pre-releases, high versions before low ones; of one version the best tag and the highest build. A
 * folder that has a package hides the package in all later folders. Immutable.
 */
public final class Candidates {
  private static final Comparator<Wheel> BUILDS =
      Comparator.comparingInt(Wheel::rank)
          .thenComparing(
              Comparator.comparingLong((Wheel wheel) -> wheel.fileName().buildNumber())
                  .thenComparing(wheel -> wheel.fileName().buildSuffix())
                  .reversed())
          .thenComparing(wheel -> wheel.fileName().text());

  private final Map<String, List<Wheel>> byName;

  private Candidates(Map<String, List<Wheel>> byName) {
    this.byName = byName;
  }

  /** Orders the wheels of the folders, given in the order of the folders. */
  public static Candidates of(List<List<Wheel>> folders, Pins pins) {
    Map<String, List<Wheel>> byName = new TreeMap<>();
    for (List<Wheel> folder : folders) {
      Map<String, List<Wheel>> own = new HashMap<>();
      for (Wheel wheel : folder) {
        own.computeIfAbsent(wheel.name(), unused -> new ArrayList<>()).add(wheel);
      }
      own.forEach((name, wheels) -> byName.putIfAbsent(name, order(wheels, pins)));
    }
    return new Candidates(byName);
  }

  private static List<Wheel> order(List<Wheel> wheels, Pins pins) {
    Map<Object, Wheel> byVersion = new HashMap<>();
    wheels.stream().sorted(BUILDS).forEach(wheel -> byVersion.putIfAbsent(wheel.version(), wheel));
    return byVersion.values().stream()
        .sorted(
            Comparator.comparing(
                    (Wheel wheel) ->
                        wheel.version().isPrerelease() && !pins.wantPrerelease(wheel.name()))
                .thenComparing(Comparator.comparing(Wheel::version).reversed()))
        .toList();
  }

  /** Normalised names, sorted. */
  List<String> names() {
    return List.copyOf(byName.keySet());
  }

  /** The wheels of a package; none if there is no such package. */
  public List<Wheel> of(String name) {
    return byName.getOrDefault(name, List.of());
  }

  /** All wheels that can come to use. */
  public List<Wheel> all() {
    return byName.values().stream().flatMap(List::stream).toList();
  }

  /** Versions there are of a package, for messages. */
  String versions(String name) {
    return String.join(", ", of(name).stream().map(wheel -> wheel.version().toString()).toList());
  }
}
