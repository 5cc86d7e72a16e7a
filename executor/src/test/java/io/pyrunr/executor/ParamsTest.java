package io.pyrunr.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Java values as the JSON that jobs see. */
class ParamsTest {
  private static String json(Object value) {
    return PythonJob.of("").withParams(value).paramsJson();
  }

  @Test
  void valuesAreWrittenAsPythonReadsThem() {
    assertEquals("null", json(null));
    assertEquals("\"2026-12-01\"", json(LocalDate.of(2026, 12, 1)));
    assertEquals("\"2026-12-01T04:05:06\"", json(LocalDateTime.of(2026, 12, 1, 4, 5, 6)));
    assertEquals("\"2026-12-01T04:05:06Z\"", json(Instant.parse("2026-12-01T04:05:06Z")));
    assertEquals(
        "\"2026-12-01T04:05:06+01:00\"", json(OffsetDateTime.parse("2026-12-01T04:05:06+01:00")));
    assertEquals("\"PT1M30S\"", json(Duration.ofSeconds(90)));
    assertEquals("5", json(Optional.of(5)));
    assertEquals("null", json(Optional.empty()));
    assertEquals("\"00000000-0000-0001-0000-000000000002\"", json(new UUID(1, 2)));
    assertEquals("\"AQI=\"", json(new byte[] {1, 2}));
    assertEquals("\"CODE\"", json(PythonError.Kind.CODE));
    assertEquals("1.10", json(new BigDecimal("1.10")));
    assertEquals(
        "123456789012345678901234567890", json(new BigInteger("123456789012345678901234567890")));
  }

  @Test
  void whatCannotBeWrittenIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> json(new Object()));
  }
}
