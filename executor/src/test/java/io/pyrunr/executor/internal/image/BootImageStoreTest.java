package io.pyrunr.executor.internal.image;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.device.JobStreams;
import io.pyrunr.executor.internal.emscripten.Surroundings;
import io.pyrunr.executor.internal.io.BigStackThread;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BootImageStoreTest {
  @TempDir Path folder;

  /** Two builds of one source give one jar. Each build has a JVM of its own, so have these. */
  @Test
  void twoStartsLeaveTheSameImage() throws Exception {
    Path first = folder.resolve("first.image");
    Path second = folder.resolve("second.image");
    Process running = start(first);
    assertEquals(0, start(second).waitFor());
    assertEquals(0, running.waitFor());
    assertEquals(-1, Files.mismatch(first, second));
  }

  private static Process start(Path image) throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            BootImageStoreTest.class.getName(),
            image.toString())
        .inheritIO()
        .start();
  }

  /** Starts Python, whether the jar has an image or not, and leaves its image in a file. */
  public static void main(String[] arguments) throws Exception {
    PythonEnvironment environment =
        PreparedPython.plain(PyodideDistribution.bundled()).environment();
    FutureTask<BootImage> start =
        new FutureTask<>(
            () -> {
              JobStreams streams = new JobStreams();
              return new PythonStarter(
                      environment.newInstance(streams, Surroundings.repeatable()), streams)
                  .start();
            });
    BigStackThread.of(start, "start").start();
    BootImageFile.write(Path.of(arguments[0]), start.get(), environment.fingerprint());
  }
}
