package io.pyrunr.dashboard.internal.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Another Python in a process of its own, to compare with. It takes and gives lines of JSON and
 * times its jobs itself, so that the pipe counts for nothing.
 */
final class PeerEngine implements Engine {
  private static final int SECONDS_TO_END = 10;

  private final String name;
  private final Path script;
  private final Process process;
  private final BufferedWriter requests;
  private final BufferedReader answers;

  private PeerEngine(String name, Path script, List<String> command) throws IOException {
    this.name = name;
    this.script = script;
    try {
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    } catch (IOException e) {
      Files.deleteIfExists(script);
      throw e;
    }
    requests = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), UTF_8));
    answers = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  /** Pyodide under Node, from a folder's {@code node_modules}. */
  static PeerEngine node(Path folder) throws IOException {
    return node(folder, null);
  }

  /** The same with the packages of a folder of wheels, unless that is null. */
  static PeerEngine node(Path folder, Path wheels) throws IOException {
    Path script = BenchScript.toTemporaryFile("peer.mjs");
    List<String> command = new ArrayList<>(List.of("node", "--expose-gc", script.toString()));
    command.add(folder.toAbsolutePath().toString());
    if (wheels != null) {
      command.add(wheels.toAbsolutePath().toString());
    }
    return new PeerEngine("node", script, command);
  }

  /** Native Python. */
  static PeerEngine python3(Path program) throws IOException {
    Path script = BenchScript.toTemporaryFile("peer.py");
    return new PeerEngine("python3", script, List.of(program.toString(), "-I", script.toString()));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Answer run(String code, JsonNode params, int count) throws IOException {
    ObjectNode request = BenchJson.MAPPER.createObjectNode().put("code", code).put("times", count);
    if (params != null) {
      request.set("params", params);
    }
    JsonNode answer = ask(request);
    List<Double> ms = new ArrayList<>();
    answer.path("ms").forEach(time -> ms.add(time.asDouble()));
    double[] times = ms.stream().mapToDouble(Double::doubleValue).toArray();
    return new Answer(answer.path("value"), times, times, new double[0], null);
  }

  /**
   * What the process holds once it has that many interpreters.
   *
   * @return resident memory ({@code rss}) in bytes and the mean time to load one ({@code loadMs})
   */
  JsonNode interpreters(int count) throws IOException {
    return ask(BenchJson.MAPPER.createObjectNode().put("interpreters", count));
  }

  private JsonNode ask(ObjectNode request) throws IOException {
    String line;
    try {
      requests.write(request.toString());
      requests.newLine();
      requests.flush();
      line = answers.readLine();
    } catch (IOException e) {
      throw new IOException(name + " ended early; its message is above", e);
    }
    if (line == null) {
      throw new IOException(name + " ended early; its message is above");
    }
    JsonNode answer = BenchJson.MAPPER.readTree(line);
    if (answer.has("error")) {
      throw new IOException("a benchmark failed in " + name + ": " + answer.get("error").asText());
    }
    return answer;
  }

  @Override
  public void close() throws IOException {
    try {
      requests.close(); // the end of its input ends it
      if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    } finally {
      Files.deleteIfExists(script);
    }
  }
}
