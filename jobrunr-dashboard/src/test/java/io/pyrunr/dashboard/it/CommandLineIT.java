package io.pyrunr.dashboard.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrunr.dashboard.it.PackagedJar.Output;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The packaged jar, run as a stranger runs it. */
class CommandLineIT {
  @TempDir Path folder;

  @Test
  void oneJobFromTheCommandLine() throws Exception {
    Output output = pyrunr("run", "-c", "sum(params['xs'])", "--params", "{\"xs\":[1,2,3]}");
    assertEquals(0, output.exitCode(), output.err());
    JsonNode result = output.lines().get(0);
    assertEquals(6, result.path("value").asInt());
    assertEquals("-c", result.path("id").asText());
    assertEquals("", output.err());
  }

  /** What a start does not need it does not load; one static field can bring in all of it. */
  @Test
  void aJobSetsUpNeitherLoggingNorDataBinding() throws Exception {
    Path log = folder.resolve("classes.log");
    List<String> command = new ArrayList<>(PackagedJar.command("run", "-c", "1 + 1"));
    command.add(1, "-Xlog:class+load:file=" + log);
    Process process =
        new ProcessBuilder(command).redirectOutput(folder.resolve("out").toFile()).start();
    assertEquals(0, process.waitFor());
    String loaded = read(log);
    assertTrue(loaded.contains("io.pyrunr.executor.PythonExecutor"), loaded);
    for (String heavy :
        List.of(
            "ch.qos.logback", "com.fasterxml.jackson.databind", "org.jobrunr", "org.objectweb")) {
      assertFalse(loaded.contains(" " + heavy + "."), heavy);
    }
  }

  /** Good, failing, endless and broken lines: each gets its line, in order, and all is UTF-8. */
  @Test
  void jobsFromAFile() throws Exception {
    Path jobs = folder.resolve("jobs.jsonl");
    Files.writeString(
        jobs,
        """
        {"id":"a","code":"params","params":{"n":-0.0,"i":123456789012345678901234567890,"s":"é😀"}}
        {"id":"b","code":"print('out'); raise ValueError('no')"}

        this is no job
        {"id":"c","code":"while True: pass","timeoutMs":300}
        {"id":7,"code":"1","tiemoutMs":5}
        {"code":"'last'"}
        """);
    Output output = pyrunr("run", "--jobs", jobs.toString(), "--workers", "1");
    assertEquals(1, output.exitCode(), output.err());
    List<JsonNode> results = output.lines();
    assertEquals(
        List.of("a", "b", "line-4", "c", "7", "line-7"),
        results.stream().map(line -> line.path("id").asText()).toList());
    assertEquals(
        List.of("SUCCEEDED", "FAILED", "FAILED", "TIMED_OUT", "FAILED", "SUCCEEDED"),
        results.stream().map(line -> line.path("status").asText()).toList());
    assertTrue(
        output.out().lines().findFirst().orElseThrow().contains("123456789012345678901234567890"));
    assertEquals("é😀", results.get(0).at("/value/s").asText());
    assertEquals("ValueError", results.get(1).at("/error/type").asText());
    assertEquals("out\n", results.get(1).path("stdout").asText());
    assertTrue(results.get(2).at("/error/message").asText().startsWith("line 4: not valid JSON"));
    assertTrue(results.get(4).at("/error/message").asText().contains("unknown field"));
  }

  @Test
  void jobsGetNoMoreThanTheMost() throws Exception {
    Path jobs = folder.resolve("greedy.jsonl");
    Files.writeString(
        jobs,
        """
        {"id":"a","code":"while True: pass","timeoutMs":3600000}
        {"id":"b","code":"len(bytearray(200 << 20))","memoryBytes":1073741824}
        {"id":"c","code":"len(bytearray(20 << 20))"}
        """);
    Output output =
        pyrunr("run", "--jobs", jobs.toString(), "--max-timeout", "5s", "--max-memory", "128m");
    assertEquals(
        List.of("TIMED_OUT", "FAILED", "SUCCEEDED"),
        output.lines().stream().map(line -> line.path("status").asText()).toList());
    assertEquals("MemoryError", output.lines().get(1).at("/error/type").asText());
  }

  @Test
  void serveTakesSubmittedJobsAndStopsInOrder() throws Exception {
    Path data = folder.resolve("data");
    Path log = folder.resolve("serve.log");
    Process server =
        new ProcessBuilder(
                PackagedJar.command(
                    "serve", "--port", "0", "--data", data.toString(), "--workers", "1"))
            .redirectOutput(log.toFile())
            .redirectErrorStream(true)
            .start();
    try {
      Path url = data.resolve("url");
      while (!Files.exists(url)) {
        assertTrue(server.isAlive(), () -> read(log));
        Thread.sleep(100);
      }
      Output good =
          pyrunr(
              "submit", "--data", data.toString(), "-c", "params * 2", "--params", "21", "--wait");
      assertEquals(0, good.exitCode(), good.err());
      assertEquals(42, good.lines().get(0).at("/result/value").asInt());
      Output bad = pyrunr("submit", "--data", data.toString(), "-c", "1 / 0", "--wait");
      assertEquals(1, bad.exitCode(), bad.err());
      assertEquals("ZeroDivisionError", bad.lines().get(0).at("/result/error/type").asText());

      HttpRequest version =
          HttpRequest.newBuilder(URI.create(Files.readString(url).strip()).resolve("/api/version"))
              .header("Authorization", "Bearer " + Files.readString(data.resolve("token")).strip())
              .build();
      String told = HttpClient.newHttpClient().send(version, BodyHandlers.ofString()).body();
      assertTrue(told.contains("\"version\":\"" + Servers.jobRunrVersion() + "\""), told);

      Output second = pyrunr("serve", "--port", "0", "--data", data.toString());
      assertEquals(1, second.exitCode());
      assertTrue(second.err().contains("in use by another pyrunr serve"), second.err());
      assertEquals(1, second.err().lines().count(), second.err());
    } finally {
      server.destroy();
    }
    assertTrue(server.waitFor(60, TimeUnit.SECONDS), () -> read(log));
    String said = read(log);
    assertTrue(said.contains("stopped"), said);
    assertFalse(said.contains("Exception"), said);
    assertFalse(said.contains("division by zero"), "a job's data stays out of the log: " + said);
    assertFalse(Files.exists(data.resolve("url")));
  }

  /** JobRunr is under the LGPL: its classes stay as they are and can be replaced. */
  @Test
  void theJarHoldsJobRunrUnchanged() throws Exception {
    Path original =
        Path.of(
            org.jobrunr.scheduling.JobBuilder.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    try (var ours = new JarFile(PackagedJar.PATH.toFile());
        var theirs = new JarFile(original.toFile())) {
      int compared = 0;
      for (var entry : theirs.stream().filter(e -> e.getName().endsWith(".class")).toList()) {
        var copy = ours.getJarEntry(entry.getName());
        assertTrue(copy != null, entry.getName());
        assertEquals(entry.getCrc(), copy.getCrc(), entry.getName());
        compared++;
      }
      assertTrue(compared > 300, "compared " + compared);
      assertFalse(ours.stream().anyMatch(e -> e.getName().endsWith("module-info.class")));
      assertFalse(ours.stream().anyMatch(e -> e.getName().endsWith(".SF")));
    }
  }

  /** One that is not UTF-8, too. */
  @Test
  void bytesThatAreNoText() throws Exception {
    Path jobs = folder.resolve("bytes.jsonl");
    Files.write(
        jobs, "{\"code\":\"'\u00e9'\"}\n{\"code\":\"2\"}\n".getBytes(StandardCharsets.ISO_8859_1));
    Output output = pyrunr("run", "--jobs", jobs.toString());
    assertEquals("BadJobLine", output.lines().get(0).at("/error/type").asText());
    assertTrue(output.lines().get(0).at("/error/message").asText().contains("not UTF-8"));
    assertEquals(2, output.lines().get(1).path("value").asInt());
  }

  /** Python that cannot start ends a command in one line, and a server too. */
  @ParameterizedTest
  @ValueSource(strings = {"run -c 1", "serve --port 0 --no-warm-up --data "})
  void modulesThatCannotBePreloaded(String command) throws Exception {
    String data = command.endsWith(" ") ? folder.resolve("data").toString() : "";
    List<String> arguments = new ArrayList<>(List.of((command + data).split(" ")));
    arguments.addAll(List.of("--preload", "nope"));
    Output output = pyrunr(arguments.toArray(String[]::new));
    assertEquals(1, output.exitCode(), output.err());
    List<String> errors = output.err().lines().filter(line -> !line.contains(" INFO ")).toList();
    assertEquals(1, errors.size(), output.err());
    assertTrue(
        errors.get(0).endsWith("(nope): ModuleNotFoundError: No module named 'nope'"),
        output.err());
  }

  /** On a full disk. */
  @ParameterizedTest
  @ValueSource(strings = {"-c 1", "--jobs jobs.jsonl"})
  @EnabledOnOs(OS.LINUX)
  void resultsThatCannotBeWritten(String arguments) throws Exception {
    Files.writeString(folder.resolve("jobs.jsonl"), "{\"code\":\"1\"}\n{\"code\":\"2\"}\n");
    List<String> command = new ArrayList<>(PackagedJar.command("run"));
    command.addAll(List.of(arguments.split(" ")));
    Path err = folder.resolve("err");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(new File("/dev/full"))
            .redirectError(err.toFile())
            .start();
    assertEquals(1, process.waitFor(), read(err));
    assertEquals(1, read(err).lines().count(), read(err));
    assertTrue(read(err).contains("results cannot be written"), read(err));
  }

  @ParameterizedTest
  @ValueSource(strings = {"16m", "32m"})
  void aHeapThatIsTooSmall(String size) throws Exception {
    List<String> command = new ArrayList<>(PackagedJar.command("run", "-c", "1"));
    command.add(1, "-Xmx" + size);
    Path err = folder.resolve("err");
    Process process = new ProcessBuilder(command).redirectError(err.toFile()).start();
    assertEquals(1, process.waitFor(), read(err));
    assertEquals(1, read(err).lines().count(), read(err));
    assertTrue(read(err).contains("MB is too small for Python; enlarge it with -Xmx"), read(err));
  }

  @Test
  void aDatabaseThatCannotBeReached() throws Exception {
    Output output =
        pyrunr(
            "serve",
            "--port",
            "0",
            "--data",
            folder.resolve("data").toString(),
            "--jdbc-url",
            "jdbc:postgresql://127.0.0.1:1/jobs?user=me&password=secret");
    assertEquals(1, output.exitCode());
    assertEquals(1, output.err().lines().count(), output.err());
    assertTrue(output.err().contains("jdbc:postgresql://127.0.0.1:1/jobs:"), output.err());
    assertFalse(output.err().contains("secret"), output.err());
  }

  /** It would be closed to others, and filled. */
  @Test
  void aFolderOfOthersIsNoDataFolder() throws Exception {
    Path own = Files.createDirectory(folder.resolve("own"));
    Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createFile(own.resolve("file"));
    for (String data : List.of("", own.toString())) {
      Output output = pyrunr("serve", "--port", "0", "--data", data);
      assertEquals(2, output.exitCode(), output.err());
      assertEquals(1, output.err().lines().count(), output.err());
    }
    assertEquals("rwxr-xr-x", PosixFilePermissions.toString(Files.getPosixFilePermissions(own)));
  }

  private Output pyrunr(String... arguments) throws IOException, InterruptedException {
    return PackagedJar.run(folder, arguments);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
