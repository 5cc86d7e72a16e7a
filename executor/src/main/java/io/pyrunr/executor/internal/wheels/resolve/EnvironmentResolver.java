package io.pyrunr.executor.internal.wheels.resolve;

import io.pyrunr.executor.internal.packaging.Requirement;
import io.pyrunr.executor.internal.wheels.archive.Wheel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Chooses one version of every package in the folders, the highest with which all others can live:
 * a search with backtracking over the packages of which there are several. Where no choice pleases
 * everybody, or the search takes too long, it is the highest of each, and who is not pleased is
 * named.
 */
public final class EnvironmentResolver {
  /** Enough for any folder people make; a folder made to be slow gets the simple answer. */
  private static final int MOST_STEPS = 20_000;

  private final Candidates candidates;
  private final Dependencies dependencies;
  private final Pins pins;
  private final Map<String, List<Wheel>> choices = new TreeMap<>();
  private final Map<String, Set<String>> extras = new HashMap<>();
  private final Map<String, Wheel> chosen = new TreeMap<>();
  private final TreeSet<String> problems = new TreeSet<>();
  private final List<UnmetNeed> unmet = new ArrayList<>();
  private int steps;

  public EnvironmentResolver(Candidates candidates, Dependencies dependencies, Pins pins) {
    this.candidates = candidates;
    this.dependencies = dependencies;
    this.pins = pins;
  }

  /** The chosen wheels by name, sorted. */
  public Map<String, Wheel> resolve() {
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

  /** Pins that nothing meets, one message each, sorted. */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  /** What the chosen wheels miss, sorted by their names. */
  public List<UnmetNeed> unmet() {
    return List.copyOf(unmet);
  }

  /** The extras that anybody asks for, until nobody asks for more. */
  private void collectExtras() {
    Map<String, Set<String>> news = new HashMap<>();
    choices.keySet().forEach(name -> news.put(name, Set.of()));
    while (!news.isEmpty()) {
      Map<String, Set<String>> looked = Map.copyOf(news);
      news.clear();
      looked.forEach(
          (name, added) ->
              choices
                  .getOrDefault(name, List.of())
                  .forEach(wheel -> addExtras(dependencies.of(wheel, added), news)));
    }
  }

  /** What was asked for before has been looked at: each extra is looked at once. */
  private void addExtras(List<Requirement> requirements, Map<String, Set<String>> news) {
    for (Requirement requirement : requirements) {
      for (String extra : requirement.extras()) {
        if (extras.computeIfAbsent(requirement.name(), unused -> new HashSet<>()).add(extra)) {
          news.computeIfAbsent(requirement.name(), unused -> new HashSet<>()).add(extra);
        }
      }
    }
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
        if (found == null || !requirement.versions().matches(found.version())) {
          unmet.add(unmet(wheel, requirement));
        }
      }
    }
  }

  private UnmetNeed unmet(Wheel wheel, Requirement requirement) {
    String name = requirement.name();
    List<Wheel> there = candidates.of(name);
    if (there.isEmpty()) {
      return UnmetNeed.absent(wheel, requirement);
    }
    List<Wheel> fitting =
        there.stream()
            .filter(candidate -> requirement.versions().matches(candidate.version()))
            .toList();
    if (fitting.isEmpty()) {
      return new UnmetNeed(
          wheel,
          requirement,
          "there is only " + candidates.versions(name),
          "drop a version that fits");
    }
    if (fitting.stream().noneMatch(pins::allow)) {
      return new UnmetNeed(
          wheel, requirement, pins.describe(name) + " is asked for", "change the pin");
    }
    String others =
        chosen.values().stream()
            .flatMap(other -> needs(other).stream().map(need -> Map.entry(other, need)))
            .filter(other -> other.getValue().name().equals(name))
            .filter(other -> fitting.stream().noneMatch(fits -> accepts(other.getKey(), fits)))
            .map(other -> other.getKey().title() + " needs " + other.getValue())
            .collect(Collectors.joining(", "));
    return new UnmetNeed(
        wheel,
        requirement,
        others.isEmpty() ? chosen.get(name).version() + " was chosen" : others,
        "drop versions that agree, or let jobs name the one they require");
  }
}
