package io.pyrunr.dashboard.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessTokenTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir Path folder;

  @Test
  void isMadeOnceAndReadableByItsOwnerOnly() throws IOException {
    AccessToken first = AccessToken.in(folder);
    assertEquals(first.text(), AccessToken.in(folder).text());
    assertTrue(first.text().length() >= 43, "256 bits");
    assertEquals(
        "rw-------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("token"))));
  }

  @Test
  void aTokenThatCouldBeGuessedIsRefused() throws IOException {
    Files.writeString(folder.resolve("token"), "hunter2\n");
    assertThrows(IOException.class, () -> AccessToken.in(folder));
  }

  @Test
  void aLoginEndsAfterAWeekAndCannotBeMadeUp() {
    AccessToken token = at(NOW);
    String login = token.newLogin();
    assertTrue(token.isLogin(login));
    assertTrue(at(NOW.plus(Duration.ofDays(6))).isLogin(login));
    assertFalse(at(NOW.plus(Duration.ofDays(8))).isLogin(login));
    assertFalse(token.isLogin("9" + login));
    assertFalse(token.isLogin(login + "A"));
    assertFalse(token.isLogin(""));
    assertFalse(new AccessToken("b".repeat(43), clock(NOW)).isLogin(login));
  }

  private static AccessToken at(Instant instant) {
    return new AccessToken("a".repeat(43), clock(instant));
  }

  private static Clock clock(Instant instant) {
    return Clock.fixed(instant, ZoneOffset.UTC);
  }
}
