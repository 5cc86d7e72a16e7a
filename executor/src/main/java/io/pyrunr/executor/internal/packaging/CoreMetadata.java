package io.pyrunr.executor.internal.packaging;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * What is needed of a distribution's {@code METADATA} file (core metadata, PEP 566 and later).
 * Immutable.
 *
 * @param name as written
 * @param version of the distribution
 * @param requiresPython condition on Python's version
 * @param requirements all of them, those of extras included
 * @param extras normalised names
 */
public record CoreMetadata(
    String name,
    PackageVersion version,
    VersionSpecifiers requiresPython,
    List<Requirement> requirements,
    TreeSet<String> extras) {

  /**
   * Reads the headers; the description below them does not matter.
   *
   * @throws BadPackagingException if a header is missing or cannot be read
   */
  public static CoreMetadata parse(String text, MarkerEnvironment environment)
      throws BadPackagingException {
    Map<String, List<String>> headers = headers(text);
    String name = only(headers, "name");
    if (!PackageName.isValid(name)) {
      throw new BadPackagingException(
          "METADATA has the name "
              + BadPackagingException.quoted(name)
              + ", which is none (ASCII letters, digits and inside also . _ -)");
    }
    List<Requirement> requirements = new ArrayList<>();
    for (String line : headers.getOrDefault("requires-dist", List.of())) {
      requirements.add(Requirement.parse(line, environment));
    }
    TreeSet<String> extras = new TreeSet<>();
    headers
        .getOrDefault("provides-extra", List.of())
        .forEach(extra -> extras.add(PackageName.normalize(extra)));
    List<String> python = headers.getOrDefault("requires-python", List.of(""));
    return new CoreMetadata(
        name,
        PackageVersion.parse(only(headers, "version")),
        VersionSpecifiers.parse(python.get(0)),
        List.copyOf(requirements),
        extras);
  }

  /** The name in its normal form. */
  public String normalName() {
    return PackageName.normalize(name);
  }

  private static String only(Map<String, List<String>> headers, String name)
      throws BadPackagingException {
    List<String> values = headers.getOrDefault(name, List.of());
    if (values.size() != 1) {
      throw new BadPackagingException(
          "METADATA has " + values.size() + " lines '" + name + ":' instead of one");
    }
    return values.get(0);
  }

  /** Lines {@code Name: value} up to the first empty one, continued ones joined. */
  private static Map<String, List<String>> headers(String text) {
    List<StringBuilder> whole = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (line.isEmpty()) {
        break;
      }
      if (line.charAt(0) != ' ' && line.charAt(0) != '\t') {
        whole.add(new StringBuilder(line));
      } else if (!whole.isEmpty()) {
        whole.get(whole.size() - 1).append(' ').append(line.strip());
      }
    }
    Map<String, List<String>> headers = new HashMap<>();
    for (StringBuilder line : whole) {
      int colon = line.indexOf(":");
      if (colon > 0) {
        String key = line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
        headers
            .computeIfAbsent(key, unused -> new ArrayList<>())
            .add(line.substring(colon + 1).strip());
      }
    }
    return headers;
  }
}
