package io.pyrunr.dashboard.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs {@code pyrunr.jar} in a JVM of its own, as a stranger does. */
final class PackagedJar {
  static final Path PATH =
      Path.of(System.getProperty("pyrunr.jar", "target/pyrunr.jar")).toAbsolutePath();

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PATIENCE_MINUTES = 10;

  private PackagedJar() {}

  record Output(int exitCode, String out, String err) {
    JsonNode json() throws IOException {
      return JSON.readTree(out);
    }

    List<JsonNode> lines() throws IOException {
      List<JsonNode> lines = new ArrayList<>();
      for (String line : out.lines().toList()) {
        lines.add(JSON.readTree(line));
      }
      return lines;
    }
  }

  /** Runs a command to its end; what it prints goes through files in the folder. */
  static Output run(Path folder, String... arguments) throws IOException, InterruptedException {
    return run(folder, new ProcessBuilder(command(arguments)));
  }

  static Output run(Path folder, ProcessBuilder builder) throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "out", "");
    Path err = Files.createTempFile(folder, "err", "");
    builder.environment().put("LC_ALL", "C"); // output is UTF-8 all the same
    Process process =
        builder
            .redirectInput(new File("/dev/null"))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError("still running: " + builder.command());
    }
    return new Output(process.exitValue(), read(out), read(err));
  }

  static List<String> command(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-jar");
    command.add(PATH.toString());
    command.addAll(List.of(arguments));
    return command;
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }
}
