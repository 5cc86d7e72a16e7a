package io.pyrunr.dashboard.internal.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrunr.dashboard.internal.vitals.Vitals;
import io.pyrunr.executor.PythonExecutor;
import io.pyrunr.executor.PythonJob;
import io.pyrunr.executor.PythonResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Memory of a process with a number of interpreters, after garbage collection.
 *
 * @param engine {@code pyrunr} or {@code node}
 * @param interpreters in one process
 * @param residentMb in 10^6 bytes, as the system counts it
 * @param heapMb reachable Java heap in 10^6 bytes; null for Node
 */
record ResidentMemory(String engine, int interpreters, double residentMb, Double heapMb) {
  private static final List<Integer> COUNTS = List.of(1, 2, 4, 8);

  /** In JVMs of their own, so that nothing else is in them. */
  static List<ResidentMemory> ours() throws IOException, InterruptedException {
    List<ResidentMemory> rows = new ArrayList<>();
    for (int count : COUNTS) {
      Process process =
          new ProcessBuilder(ChildJvm.command(List.of("bench", "--resident-memory", "" + count)))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (process.waitFor() != 0) {
        throw new IOException("a JVM with " + count + " interpreters failed; its message is above");
      }
      rows.add(BenchJson.MAPPER.readValue(said, ResidentMemory.class));
    }
    return rows;
  }

  static List<ResidentMemory> node(Path folder) throws IOException {
    List<ResidentMemory> rows = new ArrayList<>();
    try (PeerEngine node = PeerEngine.node(folder)) {
      for (int count : COUNTS) {
        JsonNode told = node.interpreters(count);
        rows.add(new ResidentMemory("node", count, told.path("rss").asLong() / 1e6, null));
      }
    }
    return rows;
  }

  /** This process with so many interpreters, each of which has run a job. */
  static ResidentMemory here(int interpreters) throws InterruptedException {
    try (var executor = PythonExecutor.builder().workers(interpreters).build()) {
      // Jobs that wait occupy their interpreters, so that each of them gets one.
      List<CompletableFuture<PythonResult>> jobs =
          IntStream.range(0, interpreters)
              .mapToObj(i -> executor.submit(PythonJob.of("import time; time.sleep(1)")))
              .toList();
      jobs.forEach(CompletableFuture::join);
      Vitals vitals = Vitals.now();
      return new ResidentMemory(
          "pyrunr", interpreters, vitals.residentBytes() / 1e6, vitals.heapBytes() / 1e6);
    }
  }
}
