package io.pyrunr.executor.internal.emscripten;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A time zone written as POSIX defines it for {@code TZ} (XBD 8.3): names, offsets west of
 * Greenwich and, perhaps, when the clocks change.
 *
 * @param standard name of standard time
 * @param daylight name of summer time; the same as {@code standard} without one
 * @param rules offsets at each moment of the years 1900 to 2399, standard time outside them
 */
record PosixTimeZone(String standard, String daylight, ZoneRules rules) {
  private static final int FIRST_YEAR = 1900;
  private static final int LAST_YEAR = 2399;

  private static final String NAME = "([A-Za-z]{3,}|<[A-Za-z0-9+-]{1,}>)";
  private static final String TIME = "([+-]?\\d{1,3}(?::\\d{1,2}){0,2})";
  private static final String DATE =
      "(J\\d{1,3}|\\d{1,3}|M\\d{1,2}\\.[1-5]\\.[0-6])(?:/" + TIME + ")?";
  private static final Pattern SYNTAX =
      Pattern.compile(NAME + TIME + "(?:" + NAME + TIME + "?(?:," + DATE + "," + DATE + ")?)?");

  /** Returns null if the text is not such a zone. */
  static PosixTimeZone parse(String text) {
    Matcher m = text.length() > 100 ? null : SYNTAX.matcher(text);
    if (m == null || !m.matches()) {
      return null;
    }
    int west = seconds(m.group(2));
    if (Math.abs(west) > 18 * 3600) {
      return null; // beyond what java.time can express
    }
    ZoneOffset standard = ZoneOffset.ofTotalSeconds(-west);
    String name = plain(m.group(1));
    if (m.group(3) == null) {
      return new PosixTimeZone(name, name, standard.getRules());
    }
    int summerWest = m.group(4) == null ? west - 3600 : seconds(m.group(4));
    if (Math.abs(summerWest) > 18 * 3600) {
      return null;
    }
    String begin = m.group(5) == null ? "M3.2.0" : m.group(5);
    String end = m.group(7) == null ? "M11.1.0" : m.group(7);
    int beginTime = m.group(6) == null ? 7200 : seconds(m.group(6));
    int endTime = m.group(8) == null ? 7200 : seconds(m.group(8));
    ZoneOffset summer = ZoneOffset.ofTotalSeconds(-summerWest);
    ZoneRules rules = rules(standard, summer, begin, beginTime, end, endTime);
    return new PosixTimeZone(name, plain(m.group(3)), rules);
  }

  private static String plain(String name) {
    return name.startsWith("<") ? name.substring(1, name.length() - 1) : name;
  }

  private static int seconds(String time) {
    boolean negative = time.startsWith("-");
    String[] parts = (negative || time.startsWith("+") ? time.substring(1) : time).split(":", -1);
    int total = 0;
    int unit = 3600;
    for (String part : parts) {
      total += Integer.parseInt(part) * unit;
      unit /= 60;
    }
    return negative ? -total : total;
  }

  private static ZoneRules rules(
      ZoneOffset standard,
      ZoneOffset summer,
      String begin,
      int beginTime,
      String end,
      int endTime) {
    if (standard.equals(summer)) {
      return standard.getRules();
    }
    List<ZoneOffsetTransition> transitions = new ArrayList<>();
    for (int year = FIRST_YEAR; year <= LAST_YEAR; year++) {
      LocalDateTime on = day(begin, year).atStartOfDay().plusSeconds(beginTime);
      LocalDateTime off = day(end, year).atStartOfDay().plusSeconds(endTime);
      transitions.add(ZoneOffsetTransition.of(on, standard, summer));
      transitions.add(ZoneOffsetTransition.of(off, summer, standard));
    }
    transitions.sort(null);
    ZoneOffset first = transitions.get(0).getOffsetBefore();
    try {
      return ZoneRules.of(standard, first, List.of(), transitions, List.of());
    } catch (IllegalArgumentException overlapping) {
      return standard.getRules(); // begin and end cross each other: no sense to be made of it
    }
  }

  private static LocalDate day(String rule, int year) {
    if (rule.startsWith("M")) {
      String[] parts = rule.substring(1).split("\\.", -1);
      int month = Math.max(1, Math.min(12, Integer.parseInt(parts[0])));
      int week = Integer.parseInt(parts[1]);
      DayOfWeek weekday = DayOfWeek.SUNDAY.plus(Integer.parseInt(parts[2]));
      LocalDate any = YearMonth.of(year, month).atDay(1);
      return week == 5
          ? any.with(TemporalAdjusters.lastInMonth(weekday))
          : any.with(TemporalAdjusters.dayOfWeekInMonth(week, weekday));
    }
    if (rule.startsWith("J")) {
      // 1 to 365; 29 February is never counted
      int day = Math.max(1, Math.min(365, Integer.parseInt(rule.substring(1))));
      return LocalDate.ofYearDay(year, day + (Year.isLeap(year) && day > 59 ? 1 : 0));
    }
    // 0 to 365; 29 February is counted
    return LocalDate.ofYearDay(year, 1).plusDays(Math.min(365, Integer.parseInt(rule)));
  }
}
