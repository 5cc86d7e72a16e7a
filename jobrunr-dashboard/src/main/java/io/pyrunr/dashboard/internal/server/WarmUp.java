package io.pyrunr.dashboard.internal.server;

import io.pyrunr.executor.PythonExecutor;
import io.pyrunr.executor.PythonJob;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs small jobs of many kinds for a while, so that the JVM has compiled what the first job of a
 * user needs: compiled code is common to all interpreters. Uses an interpreter of its own, which
 * nobody waits for, and gives it back.
 */
public final class WarmUp {
  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
  private static final Duration LONGEST = Duration.ofSeconds(20);
  private static final int MOST_ROUNDS = 1_000;

  private WarmUp() {}

  /**
   * Begins in the background and returns at once. Trouble is logged and matters to nobody.
   *
   * @param executors makes an executor with one worker, called on the thread that warms up
   */
  public static void begin(Supplier<PythonExecutor> executors) {
    Thread thread = new Thread(() -> run(executors), "pyrunr-warm-up");
    thread.setDaemon(true);
    thread.start();
  }

  private static void run(Supplier<PythonExecutor> executors) {
    long start = System.nanoTime();
    try (PythonExecutor executor = executors.get()) {
      int rounds = rounds(executor, jobs(), start);
      LOG.debug("warmed up by {} rounds of jobs", rounds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RejectedExecutionException | IllegalStateException | UncheckedIOException e) {
      LOG.debug("not warmed up", e);
    }
  }

  /** Runs all jobs again and again, until there were enough rounds or it takes too long. */
  static int rounds(PythonExecutor executor, List<PythonJob> jobs, long start)
      throws InterruptedException {
    for (int round = 0; round < MOST_ROUNDS; round++) {
      for (PythonJob job : jobs) {
        executor.run(job);
        if (System.nanoTime() - start > LONGEST.toNanos()) {
          return round;
        }
      }
    }
    return MOST_ROUNDS;
  }

  /** What jobs commonly do; their code is in the resources beside this class. */
  static List<PythonJob> jobs() {
    return Stream.of("value.py", "text.py", "data.py", "classes.py", "error.py", "tasks.py")
        .map(name -> PythonJob.of(read("warmup/" + name)).withParamsJson("{\"n\":20}"))
        .toList();
  }

  private static String read(String resource) {
    try (InputStream in = WarmUp.class.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("the jar cannot be read: " + resource, e);
    }
  }
}
