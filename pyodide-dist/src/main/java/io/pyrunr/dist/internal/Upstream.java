package io.pyrunr.dist.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Upstream's files: fetched with the npm client, which checks the lock file's integrity hash, or
 * taken from a folder; in either case compared with the pinned SHA-256 of each.
 */
final class Upstream {
  private static final List<String> NPM_FILES =
      List.of("package.json", "package-lock.json", ".npmrc");
  private static final int NPM_MINUTES = 10;

  private final Path pins;
  private final Map<String, String> sums = new LinkedHashMap<>();

  /** Reads {@code SHA256SUMS} next to the npm package's description. */
  Upstream(Path pins) throws IOException {
    this.pins = pins;
    for (String line : Files.readAllLines(pins.resolve("SHA256SUMS"))) {
      String[] parts = line.trim().split("\\s+");
      sums.put(parts[1], parts[0]);
    }
  }

  /**
   * The folder with the files, each checked.
   *
   * @param given an unpacked copy, or null to use npm's
   * @param work where npm may write
   * @throws BuildFailure if a file is missing or differs
   */
  Path folder(Path given, Path work) throws IOException {
    if (given != null) {
      check(given, "-Dpyodide.dir=" + given + " must name an unpacked npm package of that version");
      return given;
    }
    Path unpacked = work.resolve("node_modules").resolve("pyodide");
    if (!isIntact(unpacked)) {
      install(work);
    }
    check(unpacked, "delete " + work + " and build again");
    return unpacked;
  }

  private void install(Path work) throws IOException {
    Files.createDirectories(work);
    for (String name : NPM_FILES) {
      Files.copy(pins.resolve(name), work.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
    Path log = work.resolve("npm.log");
    String npm = System.getProperty("os.name").startsWith("Windows") ? "npm.cmd" : "npm";
    try {
      Process process =
          new ProcessBuilder(npm, "ci", "--loglevel=error")
              .directory(work.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (!process.waitFor(NPM_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new BuildFailure("npm did not finish within " + NPM_MINUTES + " minutes; see " + log);
      }
      if (process.exitValue() != 0) {
        throw new BuildFailure(
            "npm could not fetch pyodide: "
                + firstError(log)
                + "; check the network, or build with -Dpyodide.dir=FOLDER");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BuildFailure("interrupted while npm was running");
    } catch (IOException e) {
      throw new BuildFailure(
          "cannot run npm ("
              + e.getMessage()
              + "); install Node.js, or build with"
              + " -Dpyodide.dir=FOLDER");
    }
  }

  private static String firstError(Path log) throws IOException {
    String text = new String(Files.readAllBytes(log), StandardCharsets.UTF_8).strip();
    return text.lines()
        .map(line -> line.replaceFirst("^npm (error|ERR!) ?", "").strip())
        .filter(line -> !line.isEmpty() && !line.startsWith("code "))
        .findFirst()
        .orElse("no message");
  }

  private boolean isIntact(Path folder) throws IOException {
    for (Map.Entry<String, String> sum : sums.entrySet()) {
      Path file = folder.resolve(sum.getKey());
      if (!Files.isRegularFile(file)
          || !BuildKey.sha256(Files.readAllBytes(file)).equals(sum.getValue())) {
        return false;
      }
    }
    return true;
  }

  private void check(Path folder, String wayOut) throws IOException {
    for (Map.Entry<String, String> sum : sums.entrySet()) {
      Path file = folder.resolve(sum.getKey());
      if (!Files.isRegularFile(file)) {
        throw new BuildFailure(file + " is missing; " + wayOut);
      }
      if (!BuildKey.sha256(Files.readAllBytes(file)).equals(sum.getValue())) {
        throw new BuildFailure(
            file + " is not the pinned one (SHA-256 differs: changed or truncated); " + wayOut);
      }
    }
  }
}
