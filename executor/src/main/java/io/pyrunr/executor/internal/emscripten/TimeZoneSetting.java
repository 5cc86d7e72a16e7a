package io.pyrunr.executor.internal.emscripten;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.Locale;
import java.util.TimeZone;

/**
 * What a value of {@code TZ} means: a POSIX rule such as {@code JST-9} or {@code
 * CET-1CEST,M3.5.0,M10.5.0/3}, or a name of the time zone database such as {@code Europe/Berlin}.
 * Anything else is UTC, as in glibc.
 */
final class TimeZoneSetting {
  static final TimeZoneSetting UTC =
      new TimeZoneSetting("", ZoneOffset.UTC.getRules(), "UTC", "UTC");

  private final String value;
  private final ZoneRules rules;
  private final String standardName;
  private final String daylightName;
  private final Duration daylightSaving;

  private TimeZoneSetting(String value, ZoneRules rules, String standardName, String daylightName) {
    this.value = value;
    this.rules = rules;
    this.standardName = standardName;
    this.daylightName = daylightName;
    this.daylightSaving = largerSavingOfThisYear(rules);
  }

  static TimeZoneSetting parse(String value) {
    String text = value.startsWith(":") ? value.substring(1) : value;
    PosixTimeZone posix = PosixTimeZone.parse(text);
    if (posix != null) {
      return new TimeZoneSetting(value, posix.rules(), posix.standard(), posix.daylight());
    }
    if (text.contains("/") || text.equals("UTC") || text.equals("GMT")) {
      try {
        ZoneRules rules = ZoneId.of(text).getRules();
        TimeZone names = TimeZone.getTimeZone(text);
        return new TimeZoneSetting(
            value,
            rules,
            names.getDisplayName(false, TimeZone.SHORT, Locale.ENGLISH),
            names.getDisplayName(true, TimeZone.SHORT, Locale.ENGLISH));
      } catch (DateTimeException unknown) {
        // falls through
      }
    }
    return new TimeZoneSetting(value, ZoneOffset.UTC.getRules(), "UTC", "UTC");
  }

  private static Duration largerSavingOfThisYear(ZoneRules rules) {
    int year = LocalDate.now(ZoneOffset.UTC).getYear();
    Duration winter = savingOn(rules, LocalDate.of(year, 1, 1));
    Duration summer = savingOn(rules, LocalDate.of(year, 7, 1));
    return winter.abs().compareTo(summer.abs()) > 0 ? winter : summer;
  }

  private static Duration savingOn(ZoneRules rules, LocalDate day) {
    return rules.getDaylightSavings(day.atStartOfDay(ZoneOffset.UTC).toInstant());
  }

  /** The value of {@code TZ} this was made from. */
  String value() {
    return value;
  }

  ZoneOffset offsetAt(Instant instant) {
    return rules.getOffset(instant);
  }

  ZoneRules rules() {
    return rules;
  }

  ZoneOffset standardOffset() {
    return rules.getStandardOffset(Instant.now());
  }

  boolean hasDaylightTime() {
    return !daylightSaving.isZero();
  }

  /** What the clock is put forward by in summer; zero without summer time. */
  Duration daylightSaving() {
    return daylightSaving;
  }

  boolean isDaylightTime(Instant instant) {
    return rules.isDaylightSavings(instant);
  }

  String standardName() {
    return standardName;
  }

  String daylightName() {
    return daylightName;
  }
}
