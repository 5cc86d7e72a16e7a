package io.pyrunr.executor.internal.wheels.resolve;

import io.pyrunr.executor.internal.packaging.BadPackagingException;
import io.pyrunr.executor.internal.packaging.PackageVersion;
import io.pyrunr.executor.internal.packaging.Requirement;
import io.pyrunr.executor.internal.wheels.archive.Wheel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the wheels that some requirements need, with all that these need in turn. The version that
 * the environment has is preferred, so that jobs which ask for little share what is loaded; another
 * one is taken where a condition asks for it.
 */
public final class ClosureResolver {
  private static final int MOST_STEPS = 20_000;
  private static final int DEEPEST = 2_000;

  /** A requirement and who has it. */
  private record Need(Requirement requirement, String by) {}

  /** What was settled so far. The search changes it, and copies it where it branches. */
  private record State(
      Map<String, Wheel> chosen, Map<String, Set<String>> extras, Set<String> problems) {
    static State empty() {
      return new State(new LinkedHashMap<>(), new HashMap<>(), new LinkedHashSet<>());
    }

    State copy() {
      Map<String, Set<String>> extrasCopy = new HashMap<>();
      extras.forEach((name, set) -> extrasCopy.put(name, new HashSet<>(set)));
      return new State(new LinkedHashMap<>(chosen), extrasCopy, new LinkedHashSet<>(problems));
    }
  }

  private final Candidates candidates;
  private final Dependencies dependencies;
  private final Map<String, Wheel> preferred;
  private final MissingPackages missing;
  private final Map<String, PackageVersion> present = new HashMap<>();
  private int steps;

  public ClosureResolver(
      Candidates candidates,
      Dependencies dependencies,
      Map<String, Wheel> preferred,
      MissingPackages missing) {
    this.candidates = candidates;
    this.dependencies = dependencies;
    this.preferred = preferred;
    this.missing = missing;
  }

  /** Takes a package for installed that is no wheel of the folders. */
  public void present(String name, String version) throws BadPackagingException {
    present.put(name, PackageVersion.parse(version));
  }

  /** Resolves requirements; without {@code deep}, what they need in turn does not matter. */
  public Plan resolve(List<Requirement> requirements, String by, boolean deep) {
    List<Need> needs = new ArrayList<>();
    requirements.forEach(requirement -> needs.add(new Need(requirement, by)));
    State end = solve(needs, 0, State.empty(), deep, true);
    if (end == null) {
      steps = 0;
      end = solve(needs, 0, State.empty(), deep, false);
    }
    return new Plan(List.copyOf(end.chosen.values()), List.copyOf(end.problems));
  }

  /**
   * Settles the needs from {@code at} on.
   *
   * @param strict whether a version that does not fit makes the search go back; otherwise it is
   *     named and kept
   * @return null if a version did not fit
   */
  private State solve(List<Need> needs, int at, State state, boolean deep, boolean strict) {
    State now = state;
    List<Need> rest = needs;
    for (int i = at; i < rest.size(); i++) {
      Need need = rest.get(i);
      Requirement requirement = need.requirement;
      Wheel known = now.chosen.get(requirement.name());
      PackageVersion version = known != null ? known.version() : present.get(requirement.name());
      if (version != null) {
        if (!requirement.versions().matches(version)) {
          if (strict) {
            return null;
          }
          now.problems.add(need.by + " needs " + requirement + ", but " + version + " is in use");
        }
        if (known != null && deep) {
          rest = withNeeds(rest, known, requirement.extras(), now);
        }
        continue;
      }
      List<Wheel> choices = choices(requirement);
      if (choices.isEmpty()) {
        now.problems.add(missing(need));
        continue;
      }
      if (strict && choices.size() > 1 && i < DEEPEST) {
        return branch(rest, i, now, deep, choices);
      }
      rest = choose(rest, choices.get(0), requirement.extras(), now, deep);
    }
    return now;
  }

  private State branch(List<Need> needs, int at, State state, boolean deep, List<Wheel> choices) {
    for (Wheel wheel : choices) {
      if (++steps > MOST_STEPS) {
        return null;
      }
      State next = state.copy();
      List<Need> more = choose(needs, wheel, needs.get(at).requirement.extras(), next, deep);
      State end = solve(more, at + 1, next, deep, true);
      if (end != null) {
        return end;
      }
    }
    return null;
  }

  private List<Need> choose(
      List<Need> needs, Wheel wheel, Set<String> extras, State state, boolean deep) {
    state.chosen.put(wheel.name(), wheel);
    state.extras.put(wheel.name(), new HashSet<>());
    return deep ? withNeeds(needs, wheel, null, state, extras) : needs;
  }

  private List<Need> withNeeds(List<Need> needs, Wheel wheel, Set<String> extras, State state) {
    Set<String> known = Set.copyOf(state.extras.get(wheel.name()));
    return withNeeds(needs, wheel, known, state, extras);
  }

  /**
   * Adds what a wheel needs with further extras and did not need without them. Extras that it does
   * not have are named and left out: each that counts has all requirements looked at again.
   */
  private List<Need> withNeeds(
      List<Need> needs, Wheel wheel, Set<String> before, State state, Set<String> extras) {
    Set<String> all = state.extras.get(wheel.name());
    for (String extra : extras) {
      if (wheel.metadata().extras().contains(extra)) {
        all.add(extra);
      } else {
        state.problems.add(wheel.title() + " has no extra '" + extra + "'");
      }
    }
    if (all.equals(before)) {
      return needs;
    }
    Set<Requirement> old =
        before == null ? Set.of() : new HashSet<>(dependencies.of(wheel, before));
    List<Need> more = new ArrayList<>(needs);
    for (Requirement requirement : dependencies.of(wheel, all)) {
      if (!old.contains(requirement)) {
        more.add(new Need(requirement, wheel.title()));
      }
    }
    return more;
  }

  private List<Wheel> choices(Requirement requirement) {
    Wheel first = preferred.get(requirement.name());
    List<Wheel> choices = new ArrayList<>();
    if (first != null && requirement.versions().matches(first.version())) {
      choices.add(first);
    }
    for (Wheel wheel : candidates.of(requirement.name())) {
      if (!wheel.equals(first) && requirement.versions().matches(wheel.version())) {
        choices.add(wheel);
      }
    }
    return choices;
  }

  private String missing(Need need) {
    String name = need.requirement.name();
    String versions = candidates.versions(name);
    return need.by
        + " needs "
        + need.requirement
        + ", "
        + (versions.isEmpty()
            ? missing.requirement(name)
            : "the wheel cache has " + versions + missing.refusedToo(name));
  }
}
