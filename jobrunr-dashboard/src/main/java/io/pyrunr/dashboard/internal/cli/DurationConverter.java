package io.pyrunr.dashboard.internal.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 500ms}, {@code 5s}, {@code 2.5m} or {@code 1h}. */
final class DurationConverter implements ITypeConverter<Duration> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,3})?)(ms|s|m|h)");

  @Override
  public Duration convert(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is no duration; write a number and ms, s, m or h, such as 500ms or 5s");
    }
    double millis =
        Double.parseDouble(form.group(1))
            * switch (form.group(2)) {
              case "ms" -> 1;
              case "s" -> 1_000;
              case "m" -> 60_000;
              default -> 3_600_000;
            };
    if (millis < 1) {
      throw new TypeConversionException("'" + text + "' is too short; the least is 1ms");
    }
    return Duration.ofMillis(Math.round(millis));
  }
}
