package io.pyrunr.dashboard.internal.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 64m}, {@code 512m} or {@code 2g} into bytes. */
final class MemorySizeConverter implements ITypeConverter<Long> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,7})([mg])b?");
  static final long LARGEST = 2L << 30;

  @Override
  public Long convert(String text) {
    Matcher form = FORM.matcher(text.toLowerCase(Locale.ROOT));
    if (!form.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is no memory size; write a number and m or g, such as 256m or 1g");
    }
    long bytes = Long.parseLong(form.group(1)) << (form.group(2).equals("m") ? 20 : 30);
    if (bytes < 1 || bytes > LARGEST) {
      throw new TypeConversionException("'" + text + "' is out of range; 1m to 2g are possible");
    }
    return bytes;
  }
}
