package io.pyrunr.dashboard.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import javax.tools.ToolProvider;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the documents show is so: each command behind a {@code $} is run and prints what follows it
 * ({@code …} stands for anything), each piece of Java is compiled and run and prints what its
 * comments say, and the options of commands that occur anywhere exist.
 */
class DocumentsIT {
  private static final Path ROOT = Path.of("..");
  private static final Pattern BLOCK =
      Pattern.compile("^```(\\w*)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern PRINTS = Pattern.compile("// prints (.*)$", Pattern.MULTILINE);
  private static final Pattern USE =
      Pattern.compile("pyrunr (run|serve|submit|wheels|bench|soak)\\b([^`\\n]*)");
  private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z0-9-]*");

  private static final String IMPORTS =
      """
      import io.pyrunr.executor.*;
      import io.pyrunr.executor.jobrunr.*;
      import io.pyrunr.executor.results.*;
      import java.time.*;
      import java.util.*;
      import org.jobrunr.configuration.JobRunr;
      import org.jobrunr.jobs.JobId;
      import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;
      """;

  @TempDir Path folder;

  private static List<Path> documents() throws IOException {
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      List<Path> all =
          new ArrayList<>(docs.filter(file -> file.toString().endsWith(".md")).sorted().toList());
      all.add(ROOT.resolve("README.md"));
      all.add(ROOT.resolve("CONTRIBUTING.md"));
      return all;
    }
  }

  private static List<String> blocks(Path document, String language) throws IOException {
    List<String> blocks = new ArrayList<>();
    Matcher block = BLOCK.matcher(Files.readString(document));
    while (block.find()) {
      if (block.group(1).equals(language)) {
        blocks.add(block.group(2));
      }
    }
    return blocks;
  }

  @TestFactory
  List<DynamicTest> javaDoesWhatItSays() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path document : documents()) {
      for (String code : blocks(document, "java")) {
        String name = document.getFileName() + ": " + code.lines().findFirst().orElseThrow();
        tests.add(DynamicTest.dynamicTest(name, () -> runs(code)));
      }
    }
    assertTrue(tests.size() >= 6, "pieces of Java: " + tests.size());
    return tests;
  }

  private void runs(String code) throws Exception {
    Path source = Files.createTempDirectory(folder, "java").resolve("Shown.java");
    Files.writeString(
        source,
        IMPORTS
            + "public class Shown { public static void run(javax.sql.DataSource dataSource) throws"
            + " Exception {\n"
            + code
            + "\n}}\n");
    var errors = new ByteArrayOutputStream();
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                errors,
                errors,
                "-proc:none",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                source.getParent().toString(),
                source.toString());
    assertEquals(0, status, errors.toString(StandardCharsets.UTF_8));
    var database = new JdbcDataSource();
    database.setUrl("jdbc:h2:mem:" + source.getParent().getFileName() + ";DB_CLOSE_DELAY=-1");
    var printed = new ByteArrayOutputStream();
    PrintStream before = System.out;
    try (var loader = new URLClassLoader(new URL[] {source.getParent().toUri().toURL()})) {
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      loader.loadClass("Shown").getMethod("run", DataSource.class).invoke(null, database);
    } finally {
      System.setOut(before);
    }
    String output = printed.toString(StandardCharsets.UTF_8);
    Matcher expected = PRINTS.matcher(code);
    while (expected.find()) {
      assertTrue(output.lines().anyMatch(expected.group(1).strip()::equals), output);
    }
  }

  @TestFactory
  List<DynamicTest> commandsPrintWhatFollowsThem() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path document : documents()) {
      for (String block : blocks(document, "")) {
        List<String> lines = block.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
          if (lines.get(i).startsWith("$ ")
              && i + 1 < lines.size()
              && !lines.get(i + 1).startsWith("$ ")) {
            String command = lines.get(i).substring(2);
            List<String> shown =
                lines.subList(i + 1, lines.size()).stream()
                    .takeWhile(line -> !line.startsWith("$ ") && !line.isBlank())
                    .toList();
            tests.add(
                DynamicTest.dynamicTest(
                    document.getFileName() + ": " + command, () -> prints(command, shown)));
          }
        }
      }
    }
    assertTrue(tests.size() >= 2, "commands: " + tests.size());
    return tests;
  }

  private void prints(String command, List<String> shown) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String jar = Path.of(System.getProperty("pyrunr.jar")).toAbsolutePath().toString();
    Process process =
        new ProcessBuilder(
                "bash",
                "-c",
                "pyrunr() { \"" + java + "\" -jar \"" + jar + "\" \"$@\"; }\n" + command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    List<String> lines = output.lines().toList();
    assertEquals(shown.size(), lines.size(), output);
    for (int i = 0; i < shown.size(); i++) {
      String form =
          Pattern.compile("…")
              .splitAsStream(shown.get(i))
              .map(Pattern::quote)
              .reduce("", (a, b) -> a.isEmpty() ? b : a + ".*" + b);
      assertTrue(lines.get(i).matches(form + ".*"), shown.get(i) + "\n" + lines.get(i));
    }
  }

  /** Whatever a document asks {@code pyrunr} for, {@code --help} knows. */
  @Test
  void optionsThatDocumentsNameExist() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> unknown = new ArrayList<>();
    java.util.Map<String, String> helps = new java.util.HashMap<>();
    for (Path document : documents()) {
      Matcher use = USE.matcher(Files.readString(document));
      while (use.find()) {
        String command = use.group(1);
        if (!helps.containsKey(command)) {
          Process help =
              new ProcessBuilder(java, "-jar", System.getProperty("pyrunr.jar"), command, "--help")
                  .redirectErrorStream(true)
                  .start();
          String text = new String(help.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
          helps.put(command, text);
        }
        Matcher option = OPTION.matcher(use.group(2));
        while (option.find()) {
          boolean known = command.equals("wheels") || helps.get(command).contains(option.group());
          if (!known) {
            unknown.add(document.getFileName() + ": pyrunr " + command + " " + option.group());
          }
        }
      }
    }
    assertEquals(List.of(), unknown);
  }
}
