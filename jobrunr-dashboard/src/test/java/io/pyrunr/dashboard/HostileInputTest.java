package io.pyrunr.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Input that is wrong is answered in plain words, not in those of Java, Jackson or picocli. */
public class HostileInputTest {
  private static final Pattern JAVA =
      Pattern.compile(
          "\\b(java|javax|jdk|sun|com|org|picocli)\\.[a-z]\\w*\\.|\\w+Exception|Throwable"
              + "|(Memory|Overflow|Verify|Linkage)Error|\\w\\(\\)|out of bounds|Constraints"
              + "|\\[Source|VALUE_|START_|\\bat index\\b|not an? (int|long)\\b|\\(code \\d|URI\\b"
              + "|JSON String, Number");

  @TempDir Path folder;

  /** Fails if a programmer is spoken to. */
  public static void assertPlain(String said) {
    assertFalse(JAVA.matcher(said).find(), said);
  }

  /** Texts that are no JSON, or more than is taken. */
  public static Stream<String> badJson() {
    return Stream.of(
        "[".repeat(2000) + "]".repeat(2000),
        "{\"a\":".repeat(1500) + "1" + "}".repeat(1500),
        "{\"" + "k".repeat(60_000) + "\":1}",
        "{\"a\":1,\"a\":2}",
        "[1,2",
        "\"abc",
        "{\"a\":1",
        "{\"a\" 1}",
        "{\"a\":1 \"b\":2}",
        "{a:1}",
        "{\"a\":1,}",
        "[1,]",
        "[,1]",
        "[1}",
        "}",
        "]",
        "NaN",
        "[-Infinity]",
        "/* x */1",
        "/",
        "# 1",
        "'a'",
        "01",
        "+1",
        "-",
        "-a",
        ".5",
        "1.",
        "1e",
        "\"\\x41\"",
        "\"\\u12\"",
        "\"a\tb\"",
        "\"a\u0001b\"",
        "\"a\u001b[31mb\"",
        "\"\\",
        "hello",
        "\u001b[31m",
        "tru",
        "trux",
        "\ufeff1",
        "\u00a01",
        "$1",
        "\\",
        "`");
  }

  @ParameterizedTest
  @MethodSource("badJson")
  void parameters(String json) {
    said(2, "run", "-c", "1", "--params", json);
    said(2, "submit", "-c", "1", "--params", json);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run -c 1 --workers 99999999999",
        "run -c 1 --recycle-after 1.5",
        "run -c 1 --timeout 99999999999999999999h",
        "run -c 1 --memory 99999999999999999g",
        "run x y",
        "run -c 1 -c 2",
        "run -c 1 --params 1 --params 2",
        "run -c 1 --wheel-cache src --no-wheel-cache",
        "run -c 1 --cache ",
        "run \u0000",
        "run --jobs \u0000",
        "run -c 1 --wheel-cache \u0000",
        "run -c 1 --cache \u0000",
        "serve --port 1e3",
        "serve --data \u0000",
        "soak --seed x",
        "wheels add six --from http://[",
        "wheels add six --from http://a^b/",
        "wheels add six --from http:///x",
        "wheels add six --from http://127.0.0.1:99999/",
        "wheels add six --from file:x",
        "wheels add six --from file://host/x",
        "wheels add six --from \u0000",
        "wheels list --wheel-cache \u0000",
        "submit -c 1 --url http://[::1",
        "submit -c 1 --url http://a_b:80"
      })
  void arguments(String line) {
    said(2, line.split(" ", -1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://[?password=secret",
        "jdbc:postgresql://127.0.0.1:99999/x?password=secret",
        "jdbc:postgresql:x?password=secret&port=zero",
        "jdbc:h2:",
        "jdbc:h2:nowhere;PASSWORD=secret",
        "jdbc:h2:mem:x;NONSENSE=secret",
      })
  void databases(String url) {
    String data = folder.resolve("data").toString();
    String said = said(1, "serve", "--port", "0", "--data", data, "--jdbc-url", url);
    assertFalse(said.contains("secret"), said);
  }

  /** A line each; the good one among them is carried out. */
  @Test
  void linesOfJobs() throws IOException {
    List<String> lines = new ArrayList<>();
    badJson().forEach(json -> lines.add(json.replace('\n', ' ')));
    badJson().forEach(json -> lines.add("{\"code\":\"1\",\"params\":" + json + "}"));
    for (String field : List.of("id", "code", "timeoutMs", "memoryBytes", "requires", "x")) {
      for (String value : List.of("-1", "1e400", "99999999999999999999", "{}", "[[1]]", "\"\"")) {
        lines.add("{\"code\":1,\"" + field + "\":" + value + "}");
      }
    }
    lines.add("{\"code\":\"40 + 2\",\"id\":\"good\"}");
    Path file = Files.write(folder.resolve("jobs.jsonl"), String.join("\n", lines).getBytes(UTF_8));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    assertEquals(
        1, Pyrunr.run(new PrintWriter(out), new PrintWriter(err), "run", "--jobs", "" + file));
    List<String> answers = out.toString().lines().toList();
    assertEquals(lines.size(), answers.size());
    ObjectMapper json = new ObjectMapper();
    for (String answer : answers) {
      JsonNode error = json.readTree(answer).path("error");
      assertPlain(error.path("message").asText());
      assertEquals(
          0, error.path("message").asText().chars().filter(Character::isISOControl).count());
    }
    assertTrue(answers.get(answers.size() - 1).contains("\"value\":42"), answers::toString);
    assertEquals("", err.toString());
  }

  private String said(int exitCode, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Pyrunr.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    String said = err.toString();
    assertEquals(exitCode, code, said);
    assertEquals("", out.toString());
    assertEquals(1, said.lines().count(), said);
    assertEquals(0, said.strip().chars().filter(Character::isISOControl).count(), said);
    assertPlain(said);
    return said;
  }
}
