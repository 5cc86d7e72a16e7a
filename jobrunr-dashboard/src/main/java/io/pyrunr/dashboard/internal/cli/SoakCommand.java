package io.pyrunr.dashboard.internal.cli;

import io.pyrunr.dashboard.internal.soak.Soak;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code pyrunr soak}: nothing gets lost, mixed up or bigger. */
@Command(
    name = "soak",
    description =
        "Runs many jobs of all kinds - good ones, failing, endless, greedy, destructive - checks "
            + "every result, and compares memory, files and threads before and after.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every result was right and nothing grew beyond its bound",
      "1:a result was lost, wrong or another job's, or something grew",
      "2:the command was not understood"
    })
public final class SoakCommand implements Callable<Integer> {
  @Option(
      names = "--jobs",
      paramLabel = "N",
      defaultValue = "200000",
      description = "Default ${DEFAULT-VALUE}.")
  private int jobs;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "2",
      description = "Interpreters; default ${DEFAULT-VALUE}.")
  private int workers;

  @Option(
      names = "--recycle-after",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Make an interpreter pristine again after N jobs; default ${DEFAULT-VALUE}. With more, "
              + "jobs leave things behind, which the soak finds and reports as wrong.")
  private int recycleAfter;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Another number gives the jobs another order; default ${DEFAULT-VALUE}.")
  private long seed;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    BenchCommand.atLeastOne("--jobs", jobs);
    ExecutorOptions.requireWorkers(workers);
    BenchCommand.atLeastOne("--recycle-after", recycleAfter);
    boolean good = new Soak(jobs, workers, recycleAfter, seed, spec.commandLine().getOut()).run();
    return good ? ExitCode.OK : ExitCode.SOFTWARE;
  }
}
