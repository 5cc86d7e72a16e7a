package io.pyrunr.dashboard.internal.http;

import io.pyrunr.dashboard.internal.files.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that opens the server: 256 random bits in the data folder, readable by its owner only.
 * A browser trades it for a cookie that holds an expiry date signed with the token, so that a
 * restart logs nobody out and the token itself stays out of the browser's storage.
 */
public final class AccessToken {
  private static final String FILE = "token";
  private static final int BYTES = 32;
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{32,}");
  private static final Duration LOGIN_LASTS = Duration.ofDays(7);

  private final String text;
  private final Clock clock;

  AccessToken(String text, Clock clock) {
    this.text = text;
    this.clock = clock;
  }

  /** The token of a data folder, made at first use. */
  public static AccessToken in(Path dataDirectory) throws IOException {
    Path file = dataDirectory.toAbsolutePath().resolve(FILE);
    String text;
    try {
      text = read(dataDirectory);
    } catch (NoSuchFileException e) {
      byte[] random = new byte[BYTES];
      new SecureRandom().nextBytes(random);
      text = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
      PrivateFiles.write(file, text + "\n");
    }
    return new AccessToken(text, Clock.systemUTC());
  }

  /**
   * The text of a data folder's token.
   *
   * @throws NoSuchFileException if no server has used the folder yet
   */
  public static String read(Path dataDirectory) throws IOException {
    Path file = dataDirectory.toAbsolutePath().resolve(FILE);
    String text = Files.readString(file).strip();
    if (!FORM.matcher(text).matches()) {
      throw new IOException(
          file + " holds no token (32 or more of A-Z a-z 0-9 - _); delete it to get a new one");
    }
    return text;
  }

  /** The secret itself. Never log it. */
  public String text() {
    return text;
  }

  boolean matches(String candidate) {
    return candidate != null && equal(candidate, text);
  }

  /** A cookie value that {@link #isLogin} accepts for a week. */
  String newLogin() {
    String expiry = Long.toString(clock.instant().plus(LOGIN_LASTS).getEpochSecond());
    return expiry + "." + sign(expiry);
  }

  boolean isLogin(String cookie) {
    int dot = cookie.indexOf('.');
    if (dot < 0 || !equal(cookie.substring(dot + 1), sign(cookie.substring(0, dot)))) {
      return false;
    }
    return clock.instant().getEpochSecond() < Long.parseLong(cookie.substring(0, dot));
  }

  static long loginSeconds() {
    return LOGIN_LASTS.toSeconds();
  }

  private String sign(String expiry) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(text.getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
      byte[] signature = mac.doFinal(("pyrunr login " + expiry).getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }

  private static boolean equal(String a, String b) {
    return MessageDigest.isEqual(
        a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }
}
