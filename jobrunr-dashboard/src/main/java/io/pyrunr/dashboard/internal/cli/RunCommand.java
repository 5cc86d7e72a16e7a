package io.pyrunr.dashboard.internal.cli;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.pyrunr.executor.Limits;
import io.pyrunr.executor.PythonExecutor;
import io.pyrunr.executor.PythonJob;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pyrunr run}: jobs from the command line or a file, results as lines of JSON. */
@Command(
    name = "run",
    description =
        "Runs one Python job, or many from a file, and prints each result as a line of JSON.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every job succeeded",
      "1:a job failed or timed out",
      "2:the command was not understood"
    },
    footer = {
      "",
      "Examples:",
      "  pyrunr run -c 'sum(params[\"xs\"])' --params '{\"xs\":[1,2,3]}'",
      "  pyrunr run --jobs jobs.jsonl --workers 2 > results.jsonl"
    })
public final class RunCommand implements Callable<Integer> {

  @ArgGroup(multiplicity = "1")
  private Source source;

  @Mixin private JobOptions options;

  @Mixin private ExecutorOptions executorOptions;

  @Spec private CommandSpec spec;

  /** Where the code comes from: exactly one of the three. */
  static final class Source {
    @Option(names = "-c", paramLabel = "CODE", description = "Python code.")
    private String code;

    @Parameters(paramLabel = "FILE", description = "A file of Python code.")
    private Path file;

    @Option(
        names = "--jobs",
        paramLabel = "FILE.jsonl",
        description = {
          "A file with one job per line, '-' for standard input; params and requires stand in the"
              + " line, limits may:",
          "{\"id\":\"a1\",\"code\":\"…\",\"params\":…,\"timeoutMs\":5000}"
        })
    private String jobs;
  }

  /** Whether a command line runs a job on the Python that comes with the jar. */
  public static boolean isPlain(String[] arguments) {
    List<String> words = List.of(arguments);
    return words.size() > 1
        && words.get(0).equals("run")
        && words.stream()
            .noneMatch(word -> word.startsWith("--wheel-cache") || word.startsWith("--preload"))
        && (words.contains("--no-wheel-cache") || !WheelFolderOptions.dropBoxHasWheels());
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Limits defaults = options.limits();
    int workers = executorOptions.workers(1);
    PrintWriter out = spec.commandLine().getOut();
    if (source.jobs != null) {
      options.refuseWhatLinesHave();
      try (BufferedReader lines = open(source.jobs);
          PythonExecutor executor = executorOptions.build(workers, false)) {
        return exitCode(new JobLines(executor, defaults, workers, out).run(lines));
      }
    }
    PythonJob job =
        PythonJob.of(source.code != null ? source.code : CodeFile.read(source.file))
            .withParamsJson(Objects.requireNonNullElse(options.params(), "null"))
            .withLimits(defaults)
            .withRequires(options.requires())
            .withFileName(source.code != null ? null : source.file.getFileName().toString());
    String id = source.code != null ? "-c" : job.fileName();
    try (PythonExecutor executor = executorOptions.build(workers, false)) {
      var result = executor.run(job);
      JobLines.print(out, quoted(id), result);
      JobLines.checkWritten(out);
      return exitCode(result.succeeded());
    }
  }

  private static int exitCode(boolean allSucceeded) {
    return allSucceeded ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static String quoted(String text) {
    return '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }

  /** Lines of bytes, a character each: {@link JobLines} decodes them one by one. */
  private static BufferedReader reader(InputStream in) {
    return new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1));
  }

  private static BufferedReader open(String jobs) throws IOException {
    if (jobs.equals("-")) {
      return reader(System.in);
    }
    try {
      return reader(Files.newInputStream(CodeFile.notFolder(Path.of(jobs))));
    } catch (NoSuchFileException | InvalidPathException e) {
      throw new UsageException("there is no file " + jobs);
    }
  }
}
