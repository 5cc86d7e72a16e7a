package io.pyrunr.executor.internal.packaging;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a wheel's file name says (PEP 427). Immutable.
 *
 * @param text the file name
 * @param name normalised name of the distribution
 * @param version of the distribution
 * @param buildNumber first part of the build tag, 0 if there is none
 * @param buildSuffix rest of the build tag
 * @param tags each combination of a compressed tag set
 */
public record WheelFileName(
    String text,
    String name,
    PackageVersion version,
    long buildNumber,
    String buildSuffix,
    List<WheelTag> tags) {
  /** As long as a file's name can be. */
  private static final int LONGEST = 255;

  private static final Pattern BUILD = Pattern.compile("([0-9]{1,18})(.*)");
  private static final Pattern TAG = Pattern.compile("[A-Za-z0-9_]+(?:\\.[A-Za-z0-9_]+)*");
  private static final int MOST_TAGS = 1000;

  /**
   * Takes a file name apart.
   *
   * @throws BadPackagingException if it is not that of a wheel
   */
  public static WheelFileName parse(String text) throws BadPackagingException {
    if (text.length() > LONGEST) {
      throw new BadPackagingException("the file name has " + text.length() + " characters");
    }
    if (!text.endsWith(".whl")) {
      throw new BadPackagingException("the file name does not end in .whl");
    }
    String[] parts = text.substring(0, text.length() - 4).split("-", -1);
    if (parts.length != 5 && parts.length != 6) {
      throw new BadPackagingException(
          "the file name is not of the form name-version[-build]-python-abi-platform.whl");
    }
    if (!PackageName.isValid(parts[0].replaceAll("^_+(?=.)|(?<=.)_+$", ""))) {
      throw new BadPackagingException(
          "the file name begins with "
              + BadPackagingException.quoted(parts[0])
              + ", which is no name of a distribution (ASCII letters, digits and inside also . _)");
    }
    PackageVersion version = PackageVersion.parse(parts[1].replace('_', '-'));
    long buildNumber = 0;
    String buildSuffix = "";
    if (parts.length == 6) {
      Matcher build = BUILD.matcher(parts[2]);
      if (!build.matches()) {
        throw new BadPackagingException(
            "the build tag "
                + BadPackagingException.quoted(parts[2])
                + " in the file name does not begin with a digit");
      }
      buildNumber = Long.parseLong(build.group(1));
      buildSuffix = build.group(2);
    }
    int last = parts.length - 1;
    return new WheelFileName(
        text,
        PackageName.normalize(parts[0]),
        version,
        buildNumber,
        buildSuffix,
        tags(parts[last - 2], parts[last - 1], parts[last]));
  }

  private static List<WheelTag> tags(String pythons, String abis, String platforms)
      throws BadPackagingException {
    List<WheelTag> tags = new ArrayList<>();
    for (String python : set(pythons)) {
      for (String abi : set(abis)) {
        for (String platform : set(platforms)) {
          if (tags.size() == MOST_TAGS) {
            throw new BadPackagingException("the file name has more than " + MOST_TAGS + " tags");
          }
          tags.add(new WheelTag(python, abi, platform));
        }
      }
    }
    return List.copyOf(tags);
  }

  private static String[] set(String tags) throws BadPackagingException {
    if (!TAG.matcher(tags).matches()) {
      throw new BadPackagingException(
          "the file name has " + BadPackagingException.quoted(tags) + " where a tag should be");
    }
    return tags.split("\\.", -1);
  }
}
