package io.pyrunr.executor.internal.emscripten;

import io.pyrunr.wasm.runtime.LinearMemory;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;

/**
 * Broken-down time. The zone is the one the program's own {@code TZ} names at that moment, UTC
 * without it; the host's zone is not the program's business.
 */
final class CalendarCalls {
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

  /**
   * Where the C library keeps {@code timezone}, {@code daylight} and the two names; 0: not known.
   */
  private final int[] published = new int[4];

  CalendarCalls(LinearMemory memory, GuestMemory guest, GuestExports exports) {
    this.memory = memory;
    this.guest = guest;
    this.exports = exports;
  }

  void register(ImportTable table) {
    table.action(
        "_tzset_js",
        a -> {
          for (int i = 0; i < published.length; i++) {
            published[i] = (int) a[i];
          }
          zone();
          publish();
        });
    table.action("_gmtime_js", a -> store((int) a[1], utc(a[0]), TimeZoneSetting.UTC));
    table.action("_localtime_js", a -> localTime(a[0], (int) a[1]));
    table.value("_timegm_js", a -> toUniversal((int) a[0]));
    table.value("_mktime_js", a -> toLocal((int) a[0]));
  }

  /**
   * The program's {@code TZ}, read from its environment block. The C library calls {@code
   * _tzset_js} only once, and Python has no {@code time.tzset} here, so a change is noticed at the
   * next use.
   */
  private TimeZoneSetting zone() {
    String name = variable("TZ=");
    if (!zone.value().equals(name)) {
      zone = TimeZoneSetting.parse(name);
      publish();
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

  private void publish() {
    if (published[0] != 0) {
      memory.writeI32(published[0], -zone.standardOffset().getTotalSeconds());
      memory.writeI32(published[1], zone.hasDaylightTime() ? 1 : 0);
      guest.putString(published[2], ascii(zone.standardName()), NAME_SIZE);
      guest.putString(published[3], ascii(zone.daylightName()), NAME_SIZE);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static ZonedDateTime utc(long seconds) {
    return instant(seconds).atZone(ZoneOffset.UTC);
  }

  private static Instant instant(long seconds) {
    try {
      return Instant.ofEpochSecond(seconds);
    } catch (DateTimeException e) {
      return seconds < 0 ? Instant.MIN : Instant.MAX;
    }
  }

  private void localTime(long seconds, int tm) {
    TimeZoneSetting now = zone();
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

  private long toUniversal(int tm) {
    ZonedDateTime time = load(tm).atZone(ZoneOffset.UTC);
    store(tm, time, TimeZoneSetting.UTC);
    return time.toEpochSecond();
  }

  private long toLocal(int tm) {
    TimeZoneSetting now = zone();
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
