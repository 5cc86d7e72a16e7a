package io.pyrunr.dashboard.internal.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * From the start of a process to the result of its first job.
 *
 * @param medianMs of {@code runs}
 * @param leastMs of {@code runs}
 * @param runs processes that were started
 */
record StartTime(double medianMs, double leastMs, int runs) {

  static StartTime of(double... ms) {
    return new StartTime(Samples.median(ms), Arrays.stream(ms).min().orElseThrow(), ms.length);
  }

  /** For people. */
  @Override
  public String toString() {
    return "median %s ms, least %s ms of %d"
        .formatted(BenchTable.number(medianMs), BenchTable.number(leastMs), runs);
  }

  /** Starts a process and returns what passed until its first result, in milliseconds. */
  interface Launch {
    double startMs() throws IOException, InterruptedException;
  }

  /** Starts a process again and again. */
  static StartTime of(int runs, Launch launch) throws IOException, InterruptedException {
    double[] ms = new double[runs];
    for (int i = 0; i < runs; i++) {
      ms[i] = launch.startMs();
    }
    return of(ms);
  }

  /**
   * Starts ours once.
   *
   * @param code with the value 2
   */
  static double oursMs(String code, String... options) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("run", "--timeout", "10m", "-c", code));
    arguments.addAll(List.of(options));
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(ChildJvm.command(arguments))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    process.getOutputStream().close();
    try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      String line = out.readLine();
      double ms = (System.nanoTime() - start) / 1e6;
      if (process.waitFor() != 0 || line == null || !line.contains("\"value\":2")) {
        throw new IOException("'pyrunr run' did not work; its message is above");
      }
      return ms;
    }
  }

  /** Starts Node once, with the packages of {@code wheels} unless that is null. */
  static double nodeMs(Path folder, Path wheels, String code) throws IOException {
    long start = System.nanoTime();
    try (PeerEngine node = PeerEngine.node(folder, wheels)) {
      node.run(code, null, 1);
      return (System.nanoTime() - start) / 1e6;
    }
  }
}
