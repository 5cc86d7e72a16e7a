package io.pyrunr.executor.internal.emscripten;

import io.pyrunr.wasm.runtime.LinearMemory;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.function.IntToLongFunction;

/**
 * Broken-down time. The zone is the one the program's own {@code TZ} names at that moment, UTC
 * without it; the host's zone is not the program's business.
 */
final class CalendarCalls {
  /** Some 999,970,000 years; java.time ends a little later, a call with more must not fail. */
  private static final long LAST_SECOND = 31_556_000_000_000_000L;

  /** Room for a zone's name, with its final zero. */
  private static final int NAME_SIZE = 17;

  private static final int TM_SEC = 0;
  private static final int TM_MIN = 4;
  private static final int TM_HOUR = 8;
  private static final int TM_MDAY = 12;
  private static final int TM_MON = 16;
  private static final int TM_YEAR = 20;
  private static final int TM_WDAY = 24;
  private static final int TM_YDAY = 28;
  private static final int TM_ISDST = 32;
  private static final int TM_GMTOFF = 36;

  private final LinearMemory memory;
  private final GuestMemory guest;
  private final GuestExports exports;
  private TimeZoneSetting zone = TimeZoneSetting.UTC;

  CalendarCalls(LinearMemory memory, GuestMemory guest, GuestExports exports) {
    this.memory = memory;
    this.guest = guest;
    this.exports = exports;
  }

  void register(ImportTable table) {
    table.action("_tzset_js", a -> publish(zone(), a));
    table.action("_gmtime_js", a -> store((int) a[1], utc(a[0]), TimeZoneSetting.UTC));
    table.action("_localtime_js", a -> localTime(a[0], (int) a[1]));
    table.value("_timegm_js", a -> seconds(a, this::toUniversal));
    table.value("_mktime_js", a -> seconds(a, this::toLocal));
  }

  /** The program's {@code TZ}, read from its environment block. */
  private TimeZoneSetting zone() {
    String name = variable("TZ=");
    if (!zone.value().equals(name)) {
      zone = TimeZoneSetting.parse(name);
    }
    return zone;
  }

  private String variable(String prefix) {
    int block = memory.readInt(exports.address("__environ"));
    if (block != 0) {
      for (int at = block; memory.readInt(at) != 0; at += 4) {
        int text = memory.readInt(at);
        int i = 0;
        while (i < prefix.length() && memory.read(text + i) == prefix.charAt(i)) {
          i++;
        }
        if (i == prefix.length()) {
          return memory.cString(text + i);
        }
      }
    }
    return "";
  }

  /** Stores what {@code tzset} tells; {@code cells} are the addresses of its four variables. */
  private void publish(TimeZoneSetting now, long... cells) {
    memory.writeI32((int) cells[0], -now.standardOffset().getTotalSeconds());
    memory.writeI32((int) cells[1], now.hasDaylightTime() ? 1 : 0);
    guest.putString((int) cells[2], ascii(now.standardName()), NAME_SIZE);
    guest.putString((int) cells[3], ascii(now.daylightName()), NAME_SIZE);
  }

  /**
   * Publishes the zone if the program changed {@code TZ}: the C library calls {@code _tzset_js}
   * once in its life, Python has no {@code time.tzset} here, and {@code tm_zone} points to these
   * names.
   */
  private TimeZoneSetting publishedZone() {
    TimeZoneSetting now = zone();
    int timezone = exports.address("timezone");
    int names = exports.address("tzname");
    int standard = memory.readInt(names);
    if (memory.readInt(timezone) != -now.standardOffset().getTotalSeconds()
        || !memory.cString(standard).equals(now.standardName())) {
      publish(now, timezone, exports.address("daylight"), standard, memory.readInt(names + 4));
    }
    return now;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static ZonedDateTime utc(long seconds) {
    return instant(seconds).atZone(ZoneOffset.UTC);
  }

  private static Instant instant(long seconds) {
    return Instant.ofEpochSecond(Math.max(-LAST_SECOND, Math.min(LAST_SECOND, seconds)));
  }

  private void localTime(long seconds, int tm) {
    TimeZoneSetting now = publishedZone();
    Instant instant = instant(seconds);
    ZonedDateTime time = instant.atZone(now.offsetAt(instant));
    store(tm, time, now);
    memory.writeI32(tm + TM_GMTOFF, time.getOffset().getTotalSeconds());
  }

  private void store(int tm, ZonedDateTime time, TimeZoneSetting setting) {
    memory.writeI32(tm + TM_SEC, time.getSecond());
    memory.writeI32(tm + TM_MIN, time.getMinute());
    memory.writeI32(tm + TM_HOUR, time.getHour());
    memory.writeI32(tm + TM_MDAY, time.getDayOfMonth());
    memory.writeI32(tm + TM_MON, time.getMonthValue() - 1);
    memory.writeI32(tm + TM_YEAR, time.getYear() - 1900);
    memory.writeI32(tm + TM_WDAY, time.getDayOfWeek().getValue() % 7);
    memory.writeI32(tm + TM_YDAY, time.getDayOfYear() - 1);
    memory.writeI32(tm + TM_ISDST, setting.isDaylightTime(time.toInstant()) ? 1 : 0);
  }

  /** The fields as a date and time; those out of range carry over, as {@code mktime} demands. */
  private LocalDateTime load(int tm) {
    long months = memory.readInt(tm + TM_YEAR) * 12L + memory.readInt(tm + TM_MON);
    return LocalDateTime.of(1900, 1, 1, 0, 0)
        .plusMonths(months)
        .plusDays(memory.readInt(tm + TM_MDAY) - 1L)
        .plusHours(memory.readInt(tm + TM_HOUR))
        .plusMinutes(memory.readInt(tm + TM_MIN))
        .plusSeconds(memory.readInt(tm + TM_SEC));
  }

  /** Fields that are no date this can express give -1 and stay as they are: {@code EOVERFLOW}. */
  private static long seconds(long[] args, IntToLongFunction conversion) {
    try {
      return conversion.applyAsLong((int) args[0]);
    } catch (DateTimeException | ArithmeticException e) {
      return -1;
    }
  }

  private long toUniversal(int tm) {
    ZonedDateTime time = load(tm).atZone(ZoneOffset.UTC);
    store(tm, time, TimeZoneSetting.UTC);
    return time.toEpochSecond();
  }

  private long toLocal(int tm) {
    TimeZoneSetting now = publishedZone();
    LocalDateTime local = load(tm);
    int wanted = memory.readInt(tm + TM_ISDST);
    Instant instant = local.toInstant(offsetOf(local, now, wanted));
    boolean daylight = now.isDaylightTime(instant);
    if (wanted >= 0 && now.hasDaylightTime() && daylight != wanted > 0) {
      // The fields are read from the other clock than the one that is in force.
      instant = daylight ? instant.plus(now.daylightSaving()) : instant.minus(now.daylightSaving());
    }
    ZonedDateTime time = instant.atZone(now.offsetAt(instant));
    store(tm, time, now);
    memory.writeI32(tm + TM_GMTOFF, time.getOffset().getTotalSeconds());
    return time.toEpochSecond();
  }

  /** The offset in force at a local time; of two, the one wanted, summer time if that is open. */
  private static ZoneOffset offsetOf(LocalDateTime local, TimeZoneSetting zone, int wanted) {
    var transition = zone.rules().getTransition(local);
    if (transition != null && transition.isOverlap() && wanted == 0) {
      return transition.getOffsetAfter();
    }
    return transition == null ? zone.rules().getOffset(local) : transition.getOffsetBefore();
  }
}
