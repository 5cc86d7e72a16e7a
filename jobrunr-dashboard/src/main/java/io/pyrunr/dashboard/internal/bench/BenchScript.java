package io.pyrunr.dashboard.internal.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The programs that come with the jar. */
final class BenchScript {

  private BenchScript() {}

  static String read(String name) {
    try (InputStream in = BenchScript.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("the jar cannot be read: " + name, e);
    }
  }

  /** A copy that another process can read; the caller deletes it. */
  static Path toTemporaryFile(String name) throws IOException {
    String suffix = name.substring(name.lastIndexOf('.'));
    return Files.writeString(Files.createTempFile("pyrunr-bench-", suffix), read(name));
  }
}
