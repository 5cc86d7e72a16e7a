package io.pyrunr.executor.internal.wheels;

import io.pyrunr.executor.internal.packaging.Requirement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Chooses one version of every package in the folders, the highest with which all others can live:
 * a search with backtracking over the packages of which there are several. Where no choice pleases
 * everybody, or the search takes too long, it is the highest of each, and who is not pleased is
 * named.
 */
final class EnvironmentResolver {
  /** Enough for any folder people make; a folder made to be slow gets the simple answer. */
  private static final int MOST_STEPS = 20_000;

  private final Candidates candidates;
  private final Dependencies dependencies;
  private final Pins pins;
  private final Map<String, List<Wheel>> choices = new TreeMap<>();
  private final Map<String, Set<String>> extras = new HashMap<>();
  private final Map<String, Wheel> chosen = new TreeMap<>();
  private final TreeSet<String> problems = new TreeSet<>();
  private int steps;

  EnvironmentResolver(Candidates candidates, Dependencies dependencies, Pins pins) {
    this.candidates = candidates;
    this.dependencies = dependencies;
    this.pins = pins;
  }

  /** The chosen wheels by name, sorted. */
  Map<String, Wheel> resolve() {
    for (String name : candidates.names()) {
      List<Wheel> allowed = candidates.of(name).stream().filter(pins::allow).toList();
      if (allowed.isEmpty()) {
        problems.add(
            name
                + ": "
                + pins.describe(name)
                + " is asked for, there is "
                + candidates.versions(name)
                + "; drop that wheel or change the pin");
      } else {
        choices.put(name, allowed);
      }
    }
    pins.names().stream()
        .filter(name -> candidates.of(name).isEmpty())
        .forEach(
            name ->
                problems.add(
                    name + ": " + pins.describe(name) + " is asked for, there is no wheel of it"));
    collectExtras();
    choices.forEach(
        (name, wheels) -> {
          if (wheels.size() == 1) {
            chosen.put(name, wheels.get(0));
          }
        });
    List<String> open =
        choices.keySet().stream().filter(name -> !chosen.containsKey(name)).toList();
    if (!search(open, 0)) {
      open.forEach(name -> chosen.put(name, choices.get(name).get(0)));
    }
    report();
    return chosen;
  }

  /** What is missing or does not fit, one message each, sorted. */
  List<String> problems() {
    return List.copyOf(problems);
  }

  /** The extras that anybody asks for, until nobody asks for more. */
  private void collectExtras() {
    boolean more = true;
    while (more) {
      more = false;
      for (List<Wheel> wheels : choices.values()) {
        for (Wheel wheel : wheels) {
          for (Requirement requirement : needs(wheel)) {
            more |= addExtras(requirement);
          }
        }
      }
    }
  }

  private boolean addExtras(Requirement requirement) {
    return !requirement.extras().isEmpty()
        && extras
            .computeIfAbsent(requirement.name(), unused -> new HashSet<>())
            .addAll(requirement.extras());
  }

  private List<Requirement> needs(Wheel wheel) {
    return dependencies.of(wheel, extras.getOrDefault(wheel.name(), Set.of()));
  }

  private boolean search(List<String> open, int index) {
    if (index == open.size()) {
      return true;
    }
    String name = open.get(index);
    for (Wheel wheel : choices.get(name)) {
      if (++steps > MOST_STEPS) {
        return false;
      }
      if (agrees(wheel)) {
        chosen.put(name, wheel);
        if (search(open, index + 1)) {
          return true;
        }
        chosen.remove(name);
      }
    }
    return false;
  }

  private boolean agrees(Wheel wheel) {
    for (Wheel other : new ArrayList<>(chosen.values())) {
      if (!accepts(wheel, other) || !accepts(other, wheel)) {
        return false;
      }
    }
    return accepts(wheel, wheel);
  }

  /** Whether a wheel can live with another; what no choice could fulfil does not count. */
  private boolean accepts(Wheel wheel, Wheel other) {
    for (Requirement requirement : needs(wheel)) {
      if (requirement.name().equals(other.name())
          && !requirement.versions().matches(other.version())
          && choices.get(other.name()).stream()
              .anyMatch(choice -> requirement.versions().matches(choice.version()))) {
        return false;
      }
    }
    return true;
  }

  private void report() {
    for (Wheel wheel : chosen.values()) {
      for (Requirement requirement : needs(wheel)) {
        Wheel found = chosen.get(requirement.name());
        if (found == null) {
          problems.add(
              wheel.title()
                  + " needs "
                  + requirement
                  + ", which is not there; drop a wheel of "
                  + requirement.name());
        } else if (!requirement.versions().matches(found.version())) {
          problems.add(
              wheel.title()
                  + " needs "
                  + requirement
                  + ", there is "
                  + candidates.versions(found.name())
                  + "; drop a version that fits");
        }
      }
    }
  }
}
