package io.pyrunr.executor.internal.image;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.device.JobStreams;
import io.pyrunr.executor.internal.emscripten.Surroundings;
import io.pyrunr.executor.internal.io.BigStackThread;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class BootImageStoreTest {
  /** Two builds of one source give one jar; the image was what differed. */
  @Test
  void twoStartsLeaveTheSameImage() throws Exception {
    assertArrayEquals(imageOfAStart(), imageOfAStart());
  }

  private static byte[] imageOfAStart() throws Exception {
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
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BootImageFile.write(bytes, start.get(), environment.fingerprint());
    return bytes.toByteArray();
  }
}
