package io.pyrunr.executor.internal.packaging;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version as PEP 440 defines it, with its order. Spellings that the standard holds for the same
 * ({@code 1.0-alpha.1}, {@code v1a1}) are equal.
 *
 * <p>Immutable.
 */
public final class PackageVersion implements Comparable<PackageVersion> {
  private static final int MOST_DIGITS = 18;
  private static final int LONGEST = 200;

  private static final Pattern FORM =
      Pattern.compile(
          "v?(?:(?<epoch>[0-9]+)!)?(?<release>[0-9]+(?:\\.[0-9]+)*)"
              + "(?<pre>[-_.]?(?<prel>alpha|beta|preview|pre|a|b|c|rc)[-_.]?(?<pren>[0-9]+)?)?"
              + "(?<post>-(?<postn1>[0-9]+)|[-_.]?(?:post|rev|r)[-_.]?(?<postn2>[0-9]+)?)?"
              + "(?<dev>[-_.]?dev[-_.]?(?<devn>[0-9]+)?)?"
              + "(?:\\+(?<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?");

  /** Sorts before and after every number there can be. */
  private static final long LOWEST = -1;

  private static final long HIGHEST = Long.MAX_VALUE;

  private final String text;
  private final long epoch;
  private final List<Long> release;
  private final int preKind; // 0 a, 1 b, 2 rc, 3 none
  private final long pre;
  private final long post;
  private final long dev;
  private final List<String> local;

  private PackageVersion(String text, Matcher form) throws BadPackagingException {
    this.text = text;
    epoch = number(form.group("epoch"), 0);
    List<Long> parts = new ArrayList<>();
    for (String part : form.group("release").split("\\.", -1)) {
      parts.add(number(part, 0));
    }
    release = List.copyOf(parts);
    preKind = preKind(form.group("prel"));
    pre = form.group("pre") == null ? HIGHEST : number(form.group("pren"), 0);
    String implicitPost = form.group("postn1");
    post =
        form.group("post") == null
            ? LOWEST
            : number(implicitPost != null ? implicitPost : form.group("postn2"), 0);
    dev = form.group("dev") == null ? HIGHEST : number(form.group("devn"), 0);
    String localText = form.group("local");
    local = localText == null ? null : List.of(localText.split("[-_.]", -1));
  }

  /**
   * Reads a version; blanks around it do not count.
   *
   * @throws BadPackagingException if it is none
   */
  public static PackageVersion parse(String text) throws BadPackagingException {
    String trimmed = text.strip();
    Matcher form = FORM.matcher(trimmed.toLowerCase(Locale.ROOT));
    if (trimmed.length() > LONGEST || !form.matches()) {
      throw new BadPackagingException(
          BadPackagingException.quoted(text) + " is no version (PEP 440)");
    }
    return new PackageVersion(trimmed, form);
  }

  private static int preKind(String letters) {
    if (letters == null) {
      return 3;
    }
    return switch (letters) {
      case "a", "alpha" -> 0;
      case "b", "beta" -> 1;
      default -> 2;
    };
  }

  private static long number(String digits, long ifMissing) throws BadPackagingException {
    if (digits == null) {
      return ifMissing;
    }
    if (digits.length() > MOST_DIGITS) {
      throw new BadPackagingException(
          "version with a number of " + digits.length() + " digits; " + MOST_DIGITS + " are read");
    }
    return Long.parseLong(digits);
  }

  /** Whether it is a pre-release: alpha, beta, release candidate or development release. */
  public boolean isPrerelease() {
    return preKind < 3 || dev != HIGHEST;
  }

  boolean isPostrelease() {
    return post != LOWEST;
  }

  boolean hasLocal() {
    return local != null;
  }

  int releaseLength() {
    return release.size();
  }

  /** Whether epoch and the first numbers are those of another version's release. */
  boolean hasPrefix(PackageVersion prefix, int numbers) {
    if (epoch != prefix.epoch) {
      return false;
    }
    for (int i = 0; i < numbers; i++) {
      if (releasePart(i) != prefix.releasePart(i)) {
        return false;
      }
    }
    return true;
  }

  boolean sameBase(PackageVersion other) {
    return epoch == other.epoch && compareRelease(other) == 0;
  }

  private long releasePart(int index) {
    return index < release.size() ? release.get(index) : 0;
  }

  @Override
  public int compareTo(PackageVersion other) {
    int order = comparePublic(other);
    return order != 0 ? order : compareLocal(other);
  }

  /** The order without the part after the plus sign. */
  int comparePublic(PackageVersion other) {
    int order = Long.compare(epoch, other.epoch);
    order = order != 0 ? order : compareRelease(other);
    order = order != 0 ? order : Integer.compare(preOrder(), other.preOrder());
    order = order != 0 ? order : Long.compare(pre, other.pre);
    order = order != 0 ? order : Long.compare(post, other.post);
    return order != 0 ? order : Long.compare(dev, other.dev);
  }

  /** A development release of nothing else comes before all pre-releases. */
  private int preOrder() {
    return preKind == 3 && post == LOWEST && dev != HIGHEST ? -1 : preKind;
  }

  private int compareRelease(PackageVersion other) {
    int length = Math.max(release.size(), other.release.size());
    for (int i = 0; i < length; i++) {
      int order = Long.compare(releasePart(i), other.releasePart(i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private int compareLocal(PackageVersion other) {
    if (local == null || other.local == null) {
      return Boolean.compare(local != null, other.local != null);
    }
    int common = Math.min(local.size(), other.local.size());
    for (int i = 0; i < common; i++) {
      int order = compareLocalParts(local.get(i), other.local.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(local.size(), other.local.size());
  }

  private static int compareLocalParts(String a, String b) {
    boolean aIsNumber = a.chars().allMatch(c -> c >= '0' && c <= '9');
    boolean bIsNumber = b.chars().allMatch(c -> c >= '0' && c <= '9');
    if (aIsNumber && bIsNumber) {
      String x = a.replaceFirst("^0+(?=.)", "");
      String y = b.replaceFirst("^0+(?=.)", "");
      int order = Integer.compare(x.length(), y.length());
      return order != 0 ? order : x.compareTo(y);
    }
    return aIsNumber != bIsNumber ? Boolean.compare(aIsNumber, bIsNumber) : a.compareTo(b);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PackageVersion version && compareTo(version) == 0;
  }

  @Override
  public int hashCode() {
    int length = release.size();
    while (length > 1 && release.get(length - 1) == 0) {
      length--;
    }
    return release.subList(0, length).hashCode() + 31 * (preKind + Long.hashCode(pre));
  }

  /** As it was written. */
  @Override
  public String toString() {
    return text;
  }
}
