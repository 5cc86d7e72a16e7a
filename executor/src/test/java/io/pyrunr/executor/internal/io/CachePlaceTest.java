package io.pyrunr.executor.internal.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the cache is, from what the system says. */
@DisabledOnOs(OS.WINDOWS)
class CachePlaceTest {
  @TempDir Path home;

  /** {@code ~} stands for a home that exists, {@code -} for a variable that is not set. */
  @ParameterizedTest
  @CsvSource({
    "Linux,    ~,            -,      -,      ~/.cache/pyrunr",
    "Linux,    ~,            /x/c,   -,      /x/c/pyrunr",
    "Linux,    ~,            rel,    -,      ~/.cache/pyrunr",
    "Linux,    ~,            '',     '',     ~/.cache/pyrunr",
    "Linux,    -,            -,      -,      /,user.home instead",
    "Linux,    rel,          -,      -,      /,user.home instead",
    "Linux,    /nonexistent, -,      -,      -",
    "Linux,    /nonexistent, /x/c,   -,      /x/c/pyrunr",
    "Linux,    /nonexistent, -,      /y/c,   /y/c",
    "FreeBSD,  ~,            -,      -,      ~/.cache/pyrunr",
    "Mac OS X, ~,            /x/c,   -,      ~/Library/Caches/pyrunr",
    "Mac OS X, ~,            -,      /y/c,   /y/c",
    "Windows 11, ~,          -,      -,      -",
  })
  void isFound(String system, String userHome, String xdg, String own, String expected) {
    Map<String, String> environment = new HashMap<>();
    set(environment, "HOME", userHome);
    set(environment, "XDG_CACHE_HOME", xdg);
    set(environment, "PYRUNR_CACHE", own);
    String instead = home.resolve("..").resolve(home.getFileName()).toString();
    Path found = CachePlace.of(environment, system, instead);
    String place = expected.equals("/") ? instead + "/.cache/pyrunr" : real(expected);
    assertEquals(place, found == null ? "-" : found.toString());
  }

  private void set(Map<String, String> environment, String name, String value) {
    if (!value.equals("-")) {
      environment.put(name, real(value));
    }
  }

  private String real(String text) {
    return text.replace("~", home.toString());
  }

  @Test
  void aUserWithoutAnyHomeHasNone() {
    for (String userHome : new String[] {"", "?", "relative"}) {
      assertEquals(null, CachePlace.of(Map.of(), "Linux", userHome));
    }
  }

  @Test
  void windows() {
    Map<String, String> environment = Map.of("LOCALAPPDATA", "/C/Users/me/AppData/Local");
    assertEquals(
        Path.of("/C/Users/me/AppData/Local/pyrunr/cache"),
        CachePlace.of(environment, "Windows Server 2022", ""));
  }

  /** A folder that a stranger has packed could have one of that name. */
  @Test
  void aRelativeOneIsRefused() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> CachePlace.of(Map.of("PYRUNR_CACHE", "cache"), "Linux", "/"))
            .getMessage();
    assertTrue(message.contains("write an absolute path"), message);
  }
}
