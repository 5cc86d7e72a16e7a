package io.pyrunr.executor.internal.emscripten;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** placeholder */
final class TimeZoneSetting {
  static final TimeZoneSetting UTC = new TimeZoneSetting("", ZoneOffset.UTC, "UTC", "UTC");
  private final String name;
  private final ZoneId zone;
  private final String std, dst;

  TimeZoneSetting(String name, ZoneId zone, String std, String dst) {
    this.name = name;
    this.zone = zone;
    this.std = std;
    this.dst = dst;
  }

  String name() {
    return name;
  }

  ZoneId rules() {
    return zone;
  }

  static TimeZoneSetting parse(String n) {
    return new TimeZoneSetting(n, ZoneOffset.UTC, "UTC", "UTC");
  }

  ZoneOffset standardOffset() {
    return zone.getRules().getStandardOffset(Instant.now());
  }

  boolean hasDaylightTime() {
    return false;
  }

  String standardName() {
    return std;
  }

  String daylightName() {
    return dst;
  }

  boolean isDaylightTime(Instant i) {
    return zone.getRules().isDaylightSavings(i);
  }

  Duration daylightSaving() {
    return Duration.ofHours(1);
  }
}
