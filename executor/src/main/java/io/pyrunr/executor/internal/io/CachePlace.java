package io.pyrunr.executor.internal.io;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Where a user's programs keep what they can make again, by the customs of each system. */
final class CachePlace {
  static final String VARIABLE = "PYRUNR_CACHE";
  private static final String NAME = "pyrunr";

  private CachePlace() {}

  /**
   * The folder to use; it need not exist.
   *
   * @param environment of the process
   * @param system as {@code os.name} has it
   * @param userHome as {@code user.home} has it, for where no variable names a home
   * @return null if there is no place, as for users without a home
   * @throws IllegalArgumentException if {@code PYRUNR_CACHE} is a relative path: it would be
   *     another folder, perhaps a stranger's, wherever the program is started
   */
  static Path of(Map<String, String> environment, String system, String userHome) {
    String chosen = environment.getOrDefault(VARIABLE, "");
    if (!chosen.isEmpty()) {
      if (!Path.of(chosen).isAbsolute()) {
        throw new IllegalArgumentException(
            VARIABLE + " is '" + chosen + "'; write an absolute path, the same in every folder");
      }
      return Path.of(chosen);
    }
    if (system.startsWith("Windows")) {
      Path local = absolute(environment.get("LOCALAPPDATA"));
      return local == null ? null : local.resolve(NAME).resolve("cache");
    }
    boolean mac = system.startsWith("Mac");
    // https://specifications.freedesktop.org/basedir-spec: relative ones are to be ignored.
    Path caches = mac ? null : absolute(environment.get("XDG_CACHE_HOME"));
    if (caches == null) {
      Path home = absolute(environment.get("HOME"));
      home = home == null ? absolute(userHome) : home;
      if (home == null || !Files.isDirectory(home)) {
        return null; // services have homes such as /nonexistent, which are not to be made
      }
      caches = home.resolve(mac ? "Library/Caches" : ".cache");
    }
    return caches.resolve(NAME);
  }

  private static Path absolute(String path) {
    return path == null || path.isEmpty() || !Path.of(path).isAbsolute() ? null : Path.of(path);
  }
}
