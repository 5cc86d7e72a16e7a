package io.pyrunr.executor.internal.packaging;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A set of conditions on a version, such as {@code >=1.2,!=1.5.*} (PEP 440). Immutable.
 *
 * <p>Pre-releases meet a condition like any other version: whether they are wanted is up to who
 * chooses, see {@link #mentionsPrerelease}.
 */
public final class VersionSpecifiers {
  /** Met by every version. */
  public static final VersionSpecifiers ANY = new VersionSpecifiers("", List.of());

  private static final Pattern CLAUSE =
      Pattern.compile("(===|==|~=|!=|<=|>=|<|>)\\s*([^\\s,\\p{Cntrl}]+)");

  private final String text;
  private final List<Clause> clauses;

  private VersionSpecifiers(String text, List<Clause> clauses) {
    this.text = text;
    this.clauses = clauses;
  }

  /**
   * Reads conditions separated by commas; nothing at all is {@link #ANY}.
   *
   * @throws BadPackagingException if one of them is none
   */
  public static VersionSpecifiers parse(String text) throws BadPackagingException {
    String trimmed = text.strip();
    if (trimmed.isEmpty()) {
      return ANY;
    }
    List<Clause> clauses = new ArrayList<>();
    for (String part : trimmed.split(",", -1)) {
      if (part.isBlank() && !clauses.isEmpty()) {
        continue; // a comma at the end, which old metadata has
      }
      Matcher form = CLAUSE.matcher(part.strip());
      if (!form.matches()) {
        throw new BadPackagingException(
            BadPackagingException.quoted(part) + " is no version condition (PEP 440)");
      }
      clauses.add(Clause.of(form.group(1), form.group(2)));
    }
    return new VersionSpecifiers(trimmed, List.copyOf(clauses));
  }

  /** Whether a version meets all conditions. */
  public boolean matches(PackageVersion version) {
    return clauses.stream().allMatch(clause -> clause.matches(version));
  }

  /** All conditions of both, each once. */
  VersionSpecifiers and(VersionSpecifiers others) {
    Set<Clause> all = new LinkedHashSet<>(clauses);
    if (!all.addAll(others.clauses)) {
      return this;
    }
    String both = all.stream().map(Clause::toString).collect(Collectors.joining(","));
    return new VersionSpecifiers(both, List.copyOf(all));
  }

  /** Whether a condition names a pre-release, so that these are asked for. */
  public boolean mentionsPrerelease() {
    return clauses.stream()
        .anyMatch(
            clause ->
                clause.version != null
                    && clause.version.isPrerelease()
                    && !clause.operator.equals("!="));
  }

  /** As it was written; empty if every version will do. */
  @Override
  public String toString() {
    return text;
  }

  /** One condition; {@code version} is null for {@code ===} with something that is no version. */
  private record Clause(String operator, String text, PackageVersion version, boolean prefix) {

    static Clause of(String operator, String text) throws BadPackagingException {
      if (operator.equals("===")) {
        return new Clause(operator, text, versionOrNull(text), false);
      }
      boolean prefix = text.endsWith(".*");
      if (prefix && !operator.equals("==") && !operator.equals("!=")) {
        throw new BadPackagingException(operator + text + ": .* goes with == and != only");
      }
      PackageVersion version =
          PackageVersion.parse(prefix ? text.substring(0, text.length() - 2) : text);
      if (operator.equals("~=") && version.releaseLength() < 2) {
        throw new BadPackagingException("~=" + text + ": ~= needs a version such as 1.2");
      }
      if (version.hasLocal() && (prefix || !operator.endsWith("=") || operator.length() != 2)) {
        throw new BadPackagingException(operator + text + ": a local version cannot stand here");
      }
      return new Clause(operator, text, version, prefix);
    }

    private static PackageVersion versionOrNull(String text) {
      try {
        return PackageVersion.parse(text);
      } catch (BadPackagingException e) {
        return null;
      }
    }

    @Override
    public String toString() {
      return operator + text;
    }

    boolean matches(PackageVersion candidate) {
      return switch (operator) {
        case "===" -> candidate.toString().equalsIgnoreCase(text);
        case "==" -> equal(candidate);
        case "!=" -> !equal(candidate);
        case "<=" -> candidate.comparePublic(version) <= 0;
        case ">=" -> candidate.comparePublic(version) >= 0;
        case "~=" ->
            candidate.comparePublic(version) >= 0
                && candidate.hasPrefix(version, version.releaseLength() - 1);
        case "<" -> less(candidate);
        default -> greater(candidate);
      };
    }

    private boolean equal(PackageVersion candidate) {
      if (prefix) {
        return candidate.hasPrefix(version, version.releaseLength());
      }
      return version.hasLocal()
          ? candidate.compareTo(version) == 0
          : candidate.comparePublic(version) == 0;
    }

    /** {@code <1.0} does not let 1.0rc1 in. */
    private boolean less(PackageVersion candidate) {
      return candidate.compareTo(version) < 0
          && (version.isPrerelease() || !candidate.isPrerelease() || !candidate.sameBase(version));
    }

    /** {@code >1.0} lets neither 1.0.post1 nor 1.0+local in. */
    private boolean greater(PackageVersion candidate) {
      return candidate.compareTo(version) > 0
          && (version.isPostrelease() || !candidate.isPostrelease() || !candidate.sameBase(version))
          && (!candidate.hasLocal() || !candidate.sameBase(version));
    }
  }
}
