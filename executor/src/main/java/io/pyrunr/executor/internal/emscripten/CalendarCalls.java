package io.pyrunr.executor.internal.emscripten;

import io.pyrunr.wasm.runtime.LinearMemory;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;

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

  CalendarCalls(LinearMemory memory, GuestMemory guest, GuestExports exports) {
    this.memory = memory;
    this.guest = guest;
    this.exports = exports;
  }

  void register(ImportTable table) {
    table.action("_tzset_js", a -> setZone((int) a[0], (int) a[1], (int) a[2], (int) a[3]));
    table.action("_gmtime_js", a -> store((int) a[1], utc(a[0]), TimeZoneSetting.UTC));
    table.action("_localtime_js", a -> localTime(a[0], (int) a[1]));
    table.value("_timegm_js", a -> toUniversal((int) a[0]));
    table.value("_mktime_js", a -> toLocal((int) a[0]));
  }

  /** The program's {@code TZ}, read from its environment block. */
  private TimeZoneSetting zone() {
    String name = variable("TZ=");
    if (!zone.name().equals(name)) {
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

  private void setZone(int timezone, int daylight, int standardName, int daylightName) {
    TimeZoneSetting now = zone();
    memory.writeI32(timezone, -now.standardOffset().getTotalSeconds());
    memory.writeI32(daylight, now.hasDaylightTime() ? 1 : 0);
    guest.putString(standardName, ascii(now.standardName()), NAME_SIZE);
    guest.putString(daylightName, ascii(now.daylightName()), NAME_SIZE);
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
    ZonedDateTime time =
        instant.equals(Instant.MIN) || instant.equals(Instant.MAX)
            ? instant.atZone(ZoneOffset.UTC)
            : instant.atZone(now.rules());
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
    ZonedDateTime time = local.atZone(now.rules());
    if (wanted >= 0 && now.hasDaylightTime()) {
      // The caller says which of the two clocks the fields are read from.
      boolean daylight = now.isDaylightTime(time.toInstant());
      ZonedDateTime later = time.withLaterOffsetAtOverlap();
      if (daylight && wanted == 0 && !now.isDaylightTime(later.toInstant())) {
        time = later;
      } else if (daylight != wanted > 0) {
        long shift = now.daylightSaving().getSeconds();
        time = time.plus(daylight ? shift : -shift, ChronoUnit.SECONDS);
      }
    }
    store(tm, time, now);
    memory.writeI32(tm + TM_GMTOFF, time.getOffset().getTotalSeconds());
    return time.toEpochSecond();
  }
}
