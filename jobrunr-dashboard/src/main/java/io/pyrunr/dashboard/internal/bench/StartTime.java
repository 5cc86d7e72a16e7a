package io.pyrunr.dashboard.internal.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * From the start of a process to the result of its first job, {@code 1+1}.
 *
 * @param medianMs of {@code runs}
 * @param leastMs of {@code runs}
 * @param runs processes that were started
 */
record StartTime(double medianMs, double leastMs, int runs) {

  static StartTime of(double... ms) {
    return new StartTime(Samples.median(ms), Arrays.stream(ms).min().orElseThrow(), ms.length);
  }

  static double oursMs() throws IOException, InterruptedException {
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(ChildJvm.command("run", "-c", "1+1"))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    process.getOutputStream().close();
    try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      String line = out.readLine();
      double ms = (System.nanoTime() - start) / 1e6;
      if (process.waitFor() != 0 || line == null || !line.contains("\"value\":2")) {
        throw new IOException("'pyrunr run -c 1+1' did not work; its message is above");
      }
      return ms;
    }
  }

  static double nodeMs(Path folder) throws IOException {
    long start = System.nanoTime();
    try (PeerEngine node = PeerEngine.node(folder)) {
      node.run("1+1", null, 1);
      return (System.nanoTime() - start) / 1e6;
    }
  }
}
