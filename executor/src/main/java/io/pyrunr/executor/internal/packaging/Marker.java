package io.pyrunr.executor.internal.packaging;

import java.util.List;
import java.util.Set;

/** An environment marker, such as {@code python_version < "3.9" and extra == "test"}. Immutable. */
public sealed interface Marker {

  /** True everywhere. */
  static Marker always() {
    return new All(List.of());
  }

  /**
   * Whether it holds.
   *
   * @param extras those asked for, normalised; if there are none it is evaluated without one
   */
  default boolean holds(MarkerEnvironment environment, Set<String> extras) {
    if (evaluate(environment, "")) {
      return true;
    }
    return extras.stream().anyMatch(extra -> evaluate(environment, extra));
  }

  /** Whether it holds for one extra, or for none, which is the empty string. */
  boolean evaluate(MarkerEnvironment environment, String extra);

  /** Holds if all parts do. */
  record All(List<Marker> parts) implements Marker {
    @Override
    public boolean evaluate(MarkerEnvironment environment, String extra) {
      return parts.stream().allMatch(part -> part.evaluate(environment, extra));
    }
  }

  /** Holds if a part does. */
  record Any(List<Marker> parts) implements Marker {
    @Override
    public boolean evaluate(MarkerEnvironment environment, String extra) {
      return parts.stream().anyMatch(part -> part.evaluate(environment, extra));
    }
  }

  /** A variable, or a text in quotes. */
  record Operand(String text, boolean isVariable) {
    String value(MarkerEnvironment environment, String extra) {
      return isVariable ? environment.value(environment.variable(text), extra) : text;
    }
  }

  /** Compares two operands, as versions if both sides are. */
  record Comparison(Operand left, String operator, Operand right) implements Marker {
    @Override
    public boolean evaluate(MarkerEnvironment environment, String extra) {
      String a = left.value(environment, extra);
      String b = right.value(environment, extra);
      boolean isExtra = names("extra", environment);
      if (isExtra) {
        a = PackageName.normalize(a);
        b = PackageName.normalize(b);
      }
      return switch (operator) {
        case "in" -> b.contains(a);
        case "not in" -> !b.contains(a);
        default -> isExtra ? compareText(a, b) : compare(a, b);
      };
    }

    private boolean names(String variable, MarkerEnvironment environment) {
      return (left.isVariable && variable.equals(environment.variable(left.text)))
          || (right.isVariable && variable.equals(environment.variable(right.text)));
    }

    private boolean compare(String a, String b) {
      try {
        return VersionSpecifiers.parse(operator + b).matches(PackageVersion.parse(a));
      } catch (BadPackagingException e) {
        return compareText(a, b);
      }
    }

    private boolean compareText(String a, String b) {
      int order = a.compareTo(b);
      return switch (operator) {
        case "==", "===" -> order == 0;
        case "!=" -> order != 0;
        case "<" -> order < 0;
        case "<=" -> order <= 0;
        case ">" -> order > 0;
        case ">=" -> order >= 0;
        default -> false; // ~= of what is no version
      };
    }
  }
}
