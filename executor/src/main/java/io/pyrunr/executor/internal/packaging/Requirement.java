package io.pyrunr.executor.internal.packaging;

import java.util.HashSet;
import java.util.Set;

/**
 * What a distribution asks for: {@code requests[socks]>=2.8; python_version >= "3.9"} (PEP 508).
 * Immutable.
 *
 * @param name normalised
 * @param extras normalised
 * @param versions conditions on the version
 * @param url where it says to take it from, or null; nothing is ever fetched
 * @param marker when it applies
 * @param text as it was written
 */
public record Requirement(
    String name,
    Set<String> extras,
    VersionSpecifiers versions,
    String url,
    Marker marker,
    String text) {

  /**
   * Reads a requirement.
   *
   * @throws BadPackagingException if it is none
   */
  public static Requirement parse(String text, MarkerEnvironment environment)
      throws BadPackagingException {
    return new RequirementParser(text, environment).requirement();
  }

  /** Whether it applies here, given the extras asked for of the distribution that requires. */
  public boolean applies(MarkerEnvironment environment, Set<String> ofExtras) {
    return marker.holds(environment, ofExtras);
  }

  /** What both ask of one package, which metadata may require once for each marker. */
  public Requirement and(Requirement same) {
    Set<String> all = new HashSet<>(extras);
    all.addAll(same.extras);
    return new Requirement(name, Set.copyOf(all), versions.and(same.versions), url, marker, text);
  }

  /** Name, extras and versions, without the marker. */
  @Override
  public String toString() {
    return name
        + (extras.isEmpty() ? "" : "[" + String.join(",", extras.stream().sorted().toList()) + "]")
        + versions;
  }
}
