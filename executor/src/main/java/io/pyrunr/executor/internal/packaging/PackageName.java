package io.pyrunr.executor.internal.packaging;

import java.util.Locale;
import java.util.regex.Pattern;

/** Names of distributions and extras, compared as PEP 503 says. */
public final class PackageName {
  private static final Pattern VALID =
      Pattern.compile("[A-Z0-9]|[A-Z0-9][A-Z0-9._-]*[A-Z0-9]", Pattern.CASE_INSENSITIVE);
  private static final Pattern SEPARATORS = Pattern.compile("[-_.]+");

  private PackageName() {}

  /**
   * Whether a name may be that of a distribution: ASCII letters and digits, and inside also ._-.
   */
  public static boolean isValid(String name) {
    return VALID.matcher(name).matches();
  }

  /** The one form of all spellings of a name: lower case, runs of separators as one dash. */
  public static String normalize(String name) {
    return SEPARATORS.matcher(name).replaceAll("-").toLowerCase(Locale.ROOT);
  }
}
