package io.pyrunr.executor.internal.image;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.device.JobStreams;
import io.pyrunr.executor.internal.emscripten.Surroundings;
import io.pyrunr.executor.internal.io.BigStackThread;
import io.pyrunr.executor.internal.wheels.WheelSet;
import io.pyrunr.executor.internal.wheels.archive.WheelPlatform;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class BootImageStoreTest {
  /** Two builds of one source give one jar; the image was what differed. */
  @Test
  void twoStartsLeaveTheSameImage() throws Exception {
    assertArrayEquals(imageOfAStart(), imageOfAStart());
  }

  private static byte[] imageOfAStart() throws Exception {
    PyodideDistribution distribution = PyodideDistribution.bundled();
    WheelSet none = WheelSet.none(WheelPlatform.of(distribution));
    // One of its own, as in a build: a second start in the same one has higher inode numbers.
    PythonEnvironment environment =
        new PythonEnvironment(distribution, none, List.of(), () -> sources -> Map.of());
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
