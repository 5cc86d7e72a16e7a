package io.pyrunr.dashboard.internal.cli;

import io.pyrunr.executor.Limits;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Limits of jobs that say nothing else themselves. */
final class LimitOptions {
  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "Stop a job after this time, such as 500ms, 5s or 2m; default 30s.")
  private Duration timeout = Limits.DEFAULT.wallTime();

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = MemorySizeConverter.class,
      description = "Memory of a job's interpreter, such as 256m; default 512m.")
  private long memory = Limits.DEFAULT.memoryBytes();

  Limits toLimits() {
    return Limits.DEFAULT.withWallTime(timeout).withMemoryBytes(memory);
  }
}
