package io.pyrunr.dashboard.internal.cli;

import io.pyrunr.dashboard.internal.job.JsonText;
import io.pyrunr.executor.Limits;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;

/** What a job gets besides its code; shared by {@code run} and {@code submit}. */
final class JobOptions {
  @Option(
      names = "--params",
      paramLabel = "JSON",
      description = "What the code sees as 'params'; default null.")
  private String params;

  @Option(
      names = "--requires",
      paramLabel = "PACKAGES",
      split = ",",
      description =
          "Packages of the wheel cache that the job sees, with what they need; default all.")
  private List<String> requires;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "Stop the job after this time, such as 500ms, 5s or 2m; default 30s.")
  private Duration timeout;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = MemorySizeConverter.class,
      description = "Memory of the job's interpreter, such as 256m; default 512m.")
  private Long memory;

  /** The parameters' text, checked to be JSON; null if not given. */
  String params() {
    return params == null ? null : JsonText.checked("--params", params);
  }

  /** Beside {@code --jobs}, where each line has its own. */
  void refuseWhatLinesHave() {
    if (params != null) {
      throw new UsageException("--params does not go with --jobs; each line has its own params");
    }
    if (requires != null) {
      throw new UsageException("--requires does not go with --jobs; each line has its own");
    }
  }

  /** Null if not given. */
  List<String> requires() {
    return requires;
  }

  /** Null if not given. */
  Duration timeout() {
    return timeout;
  }

  /** Bytes; null if not given. */
  Long memory() {
    return memory;
  }

  /** The limits, with defaults for what is not given. */
  Limits limits() {
    Limits limits = timeout == null ? Limits.DEFAULT : Limits.DEFAULT.withWallTime(timeout);
    return memory == null ? limits : limits.withMemoryBytes(memory);
  }
}
