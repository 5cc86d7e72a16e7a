package io.pyrunr.dashboard.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is published says whose work it is. Whatever lies in a jar either has its source in this
 * repository or is claimed by a part in the jar's NOTICE, which names the licence and its text.
 */
class ArtifactsIT {
  private static final Path ROOT = Path.of("..");
  private static final List<String> MODULES =
      List.of("pyodide-dist", "executor", "jobrunr-dashboard");
  private static final Pattern TEXTS = Pattern.compile("licence: [^(]*\\(([^)]*)\\)");
  private static final Pattern CLAIM = Pattern.compile("(?m)(?:^  |, )in: (.*)$");

  /** Sources and Javadoc are there when the release profile has made them. */
  static Stream<Path> published() throws IOException {
    List<Path> jars = new ArrayList<>();
    for (String module : MODULES) {
      try (var files = Files.newDirectoryStream(ROOT.resolve(module).resolve("target"), "*.jar")) {
        for (Path file : files) {
          if (file.getFileName().toString().startsWith("pyrunr")) {
            jars.add(file);
          }
        }
      }
    }
    assertTrue(jars.size() >= MODULES.size() + 1, jars.toString());
    return jars.stream();
  }

  static Stream<Path> withClasses() throws IOException {
    return published().filter(jar -> !jar.toString().matches(".*-(sources|javadoc)\\.jar"));
  }

  /** The server's own jar has classes of ours only; its NOTICE is about {@code pyrunr.jar}. */
  static Stream<Path> withWorkOfOthers() throws IOException {
    return withClasses().filter(jar -> !jar.getFileName().toString().startsWith("pyrunr-server"));
  }

  @ParameterizedTest
  @MethodSource("published")
  void hasLicenceAndNotice(Path file) throws IOException {
    try (var jar = new JarFile(file.toFile())) {
      assertTrue(read(jar, "META-INF/LICENSE").contains("Apache License"));
      assertTrue(read(jar, "META-INF/NOTICE").contains("the Pyrunr authors"));
    }
  }

  @ParameterizedTest
  @MethodSource("withClasses")
  void namesTheAuthorsOfAllItHolds(Path file) throws IOException {
    try (var jar = new JarFile(file.toFile())) {
      List<String> claims = claims(read(jar, "META-INF/NOTICE"));
      List<String> unclaimed =
          jar.stream()
              .filter(entry -> !entry.isDirectory())
              .map(entry -> entry.getName().replaceFirst("^META-INF/versions/\\d+/", ""))
              .filter(name -> !name.startsWith("META-INF/") && !isOurs(name))
              .filter(name -> claims.stream().noneMatch(name::startsWith))
              .toList();
      assertEquals(List.of(), unclaimed);
    }
  }

  @ParameterizedTest
  @MethodSource("withWorkOfOthers")
  void holdsTheTextOfEachLicenceAndNoClaimIsEmpty(Path file) throws IOException {
    try (var jar = new JarFile(file.toFile())) {
      String notice = read(jar, "META-INF/NOTICE");
      List<String> texts = matches(TEXTS, notice);
      assertFalse(texts.isEmpty());
      texts.forEach(text -> assertNotNull(jar.getEntry(text), text));
      for (String claim : claims(notice)) {
        assertTrue(jar.stream().anyMatch(entry -> entry.getName().startsWith(claim)), claim);
      }
    }
  }

  /** Copyleft asks where the source of this very version is. */
  @ParameterizedTest
  @MethodSource("withWorkOfOthers")
  void namesTheVersionOfPyodideThatTheBuildFetches(Path file) throws IOException {
    String pins = Files.readString(ROOT.resolve("pyodide-dist/npm/package.json"));
    Matcher version = Pattern.compile("\"pyodide\": *\"([^\"]+)\"").matcher(pins);
    assertTrue(version.find());
    try (var jar = new JarFile(file.toFile())) {
      String notice = read(jar, "META-INF/NOTICE");
      assertTrue(notice.contains("(source code: tag " + version.group(1) + ")"), notice);
    }
  }

  /** A file of ours has its source here: a class its Java file, a resource itself. */
  private static boolean isOurs(String name) {
    String source = name.replaceFirst("(\\$[^/]*)?\\.class$", ".java");
    return MODULES.stream()
        .map(module -> ROOT.resolve(module).resolve("src/main"))
        .anyMatch(
            main ->
                Files.exists(main.resolve("java").resolve(source))
                    || Files.exists(main.resolve("resources").resolve(name)));
  }

  private static List<String> claims(String notice) {
    return matches(CLAIM, notice);
  }

  /** The items of each comma-separated list that the pattern's group finds. */
  private static List<String> matches(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .flatMap(match -> Stream.of(match.group(1).split(",")))
        .map(String::strip)
        .toList();
  }

  private static String read(JarFile jar, String name) throws IOException {
    assertNotNull(jar.getEntry(name), name);
    try (var in = jar.getInputStream(jar.getEntry(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
