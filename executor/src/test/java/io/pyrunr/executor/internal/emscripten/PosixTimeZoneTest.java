package io.pyrunr.executor.internal.emscripten;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PosixTimeZoneTest {
  private static String offset(String zone, String instant) {
    return PosixTimeZone.parse(zone).rules().getOffset(Instant.parse(instant)).toString();
  }

  @Test
  void signsAreWestOfGreenwich() {
    assertEquals("+09:00", offset("JST-9", "2024-07-01T00:00:00Z"));
    assertEquals("-05:30:15", offset("ABC5:30:15", "2024-07-01T00:00:00Z"));
    assertEquals("<+03>", "<" + PosixTimeZone.parse("<+03>-3").standard() + ">");
  }

  @Test
  void rulesByWeekAndDay() {
    String berlin = "CET-1CEST,M3.5.0,M10.5.0/3";
    assertEquals("+01:00", offset(berlin, "2024-03-31T00:59:59Z"));
    assertEquals("+02:00", offset(berlin, "2024-03-31T01:00:00Z"));
    assertEquals("+02:00", offset(berlin, "2024-10-27T00:59:59Z"));
    assertEquals("+01:00", offset(berlin, "2024-10-27T01:00:00Z"));
    String sydney = "AEST-10AEDT,M10.1.0,M4.1.0/3";
    assertEquals("+11:00", offset(sydney, "2024-01-01T00:00:00Z"));
    assertEquals("+10:00", offset(sydney, "2024-07-01T00:00:00Z"));
  }

  @Test
  void theUnitedStatesWithoutRules() {
    assertEquals("-04:00", offset("EST5EDT", "2024-03-10T07:00:00Z"));
    assertEquals("-05:00", offset("EST5EDT", "2024-03-10T06:59:59Z"));
    assertEquals("-05:00", offset("EST5EDT", "2024-11-03T06:00:00Z"));
  }

  @Test
  void julianDaysDoNotCountLeapDaysAndPlainOnesDo() {
    assertEquals("Z", offset("STD0DST,J60/0,J300/0", "2024-02-29T12:00:00Z"));
    assertEquals("+01:00", offset("STD0DST,J60/0,J300/0", "2024-03-01T00:00:00Z"));
    assertEquals("+01:00", offset("STD0DST,59/0,J300/0", "2024-02-29T00:00:00Z"));
    assertEquals("+01:00", offset("STD0DST,59/0,J300/0", "2023-03-01T00:00:00Z"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "X",
        "AB5",
        "EST",
        "EST99",
        "EST5EDT,M13",
        "Europe/Berlin",
        "EST5EDT,M3.6.0,M1.1.0"
      })
  void otherTextsAreNoZone(String text) {
    assertNull(PosixTimeZone.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"A/B", "../../etc/passwd", "EST5EDT,J200,J200", ":", "Nowhere/Land"})
  void nothingThrows(String text) {
    Instant now = Instant.parse("2024-07-01T00:00:00Z");
    ZoneOffset offset = TimeZoneSetting.parse(text).offsetAt(now);
    assertEquals(true, offset.equals(ZoneOffset.UTC) || text.startsWith("EST5EDT"));
  }
}
