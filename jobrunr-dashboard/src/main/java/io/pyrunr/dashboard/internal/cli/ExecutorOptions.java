package io.pyrunr.dashboard.internal.cli;

import io.pyrunr.executor.Limits;
import io.pyrunr.executor.PythonExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * How many interpreters there are and what they can import; shared by {@code run} and {@code
 * serve}.
 */
final class ExecutorOptions {
  private static final int MOST_WORKERS = 256;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "Interpreters, hence jobs at one time; default 1 for run, cores for serve.")
  private Integer workers;

  @Option(
      names = "--recycle-after",
      paramLabel = "N",
      description = "Make an interpreter pristine again after N jobs; default ${DEFAULT-VALUE}.")
  private int recycleAfter = 1;

  @Mixin private WheelFolderOptions wheels;

  @Option(
      names = "--no-wheel-cache",
      description = "Use no wheels, even if ./wheel-cache is there.")
  private boolean noWheels;

  @Option(
      names = "--preload",
      paramLabel = "MODULES",
      split = ",",
      description = "Modules to import once, so that every job finds them loaded; may be repeated.")
  private List<String> preload = new ArrayList<>();

  @Option(
      names = "--max-timeout",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "Stop a job after this time whatever it asks for; default is never.")
  private Duration maxTimeout = Limits.UNBOUNDED.wallTime();

  @Option(
      names = "--max-memory",
      paramLabel = "SIZE",
      converter = MemorySizeConverter.class,
      description = "Memory of a job's interpreter whatever it asks for; default and most 2g.")
  private long maxMemory = MemorySizeConverter.LARGEST;

  /** The number of workers if the user gave one, else the command's own default. */
  int workers(int ifNotGiven) {
    return workers == null ? ifNotGiven : workers;
  }

  /**
   * Starts an executor.
   *
   * @param workers see {@link #workers(int)}
   * @param watch whether wheels that come and go are noticed
   */
  PythonExecutor build(int workers, boolean watch) {
    requireWorkers(workers);
    if (recycleAfter < 1) {
      throw new UsageException("--recycle-after is " + recycleAfter + "; the least is 1");
    }
    PythonExecutor.Builder builder =
        PythonExecutor.builder()
            .workers(workers)
            .recycleAfter(recycleAfter)
            .watch(watch)
            .ceiling(Limits.UNBOUNDED.withWallTime(maxTimeout).withMemoryBytes(maxMemory))
            .preload(preload.toArray(String[]::new));
    if (noWheels && wheels.areNamed()) {
      throw new UsageException("--wheel-cache and --no-wheel-cache exclude each other");
    }
    if (!noWheels) {
      wheels.present(watch).forEach(builder::wheelCache);
    }
    wheels.cache().ifPresent(builder::cache);
    try {
      return builder.build();
    } catch (IllegalArgumentException e) { // a folder that cannot be used
      throw new UsageException(e.getMessage());
    }
  }

  static void requireWorkers(int workers) {
    if (workers < 1 || workers > MOST_WORKERS) {
      throw new UsageException(
          "--workers is " + workers + "; 1 to " + MOST_WORKERS + " are possible");
    }
  }
}
