package io.pyrunr.dashboard.internal.cli;

import io.pyrunr.dashboard.internal.bench.Bench;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code pyrunr bench}: how fast it is here, and beside what. */
@Command(
    name = "bench",
    description = {
      "Measures small programs, whole jobs, the start and memory on this machine, and the same "
          + "Pyodide under Node beside them.",
      "",
      "Node and native Python are started by this command only, to compare with; nothing else in "
          + "pyrunr uses them, and without them the comparison is left out.",
      "",
      "Takes some minutes; the machine should have nothing else to do."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  pyrunr bench",
      "  npm install pyodide@0.29.3 && pyrunr bench --node . --json > bench.json",
      "  pyrunr wheels add numpy pandas && pyrunr bench --wheel-cache wheel-cache"
    })
public final class BenchCommand implements Callable<Integer> {
  /** Where the build has unpacked Pyodide. */
  private static final Path OF_THE_BUILD = Path.of("pyodide-dist", "target", "npm");

  @Option(
      names = "--reps",
      paramLabel = "N",
      defaultValue = "60",
      description =
          "Run each small program until it gets no faster, at most N times; default "
              + "${DEFAULT-VALUE}.")
  private int reps;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      defaultValue = "20000",
      description =
          "Jobs whose latency is measured, after as many to warm up; default ${DEFAULT-VALUE}, which "
              + "the JVM's compiler needs.")
  private int jobs;

  @Option(
      names = "--node",
      paramLabel = "DIR",
      description =
          "A folder with Pyodide in its node_modules; default the one of a build, if there is one "
              + "and Node is installed.")
  private Path node;

  @Option(names = "--no-node", description = "Leave Node out.")
  private boolean noNode;

  @Option(
      names = "--python3",
      paramLabel = "PATH",
      description = "A native Python to run the small programs too.")
  private Path python3;

  @Option(
      names = "--wheel-cache",
      paramLabel = "DIR",
      description = "A folder with the wheels of numpy and pandas, to measure them too.")
  private Path wheels;

  @Option(names = "--json", description = "Print one JSON document instead of tables.")
  private boolean json;

  @Option(names = "--resident-memory", hidden = true)
  private Integer residentMemory;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    var out = spec.commandLine().getOut();
    if (residentMemory != null) {
      out.println(Bench.residentMemory(residentMemory));
      return 0;
    }
    atLeastOne("--reps", reps);
    atLeastOne("--jobs", jobs);
    if (python3 != null && !Files.isExecutable(python3)) {
      throw new UsageException("--python3 " + python3 + ": there is no such program");
    }
    if (wheels != null && !Files.isDirectory(wheels)) {
      throw new UsageException("--wheel-cache " + wheels + ": there is no such folder");
    }
    var err = spec.commandLine().getErr();
    var settings = new Bench.Settings(reps, jobs, nodeFolder(), python3, wheels);
    out.println(new Bench(settings, err::println).run(json));
    return 0;
  }

  private Path nodeFolder() throws InterruptedException {
    if (noNode) {
      if (node != null) {
        throw new UsageException("--node and --no-node exclude each other");
      }
      return null;
    }
    if (node == null) {
      return hasPyodide(OF_THE_BUILD) && nodeIsInstalled() ? OF_THE_BUILD : null;
    }
    if (!hasPyodide(node)) {
      throw new UsageException(
          "--node "
              + node
              + ": there is no node_modules/pyodide; run 'npm install pyodide@0.29.3'");
    }
    if (!nodeIsInstalled()) {
      throw new UsageException("--node: there is no program 'node' on the PATH; install Node.js");
    }
    return node;
  }

  private static boolean hasPyodide(Path folder) {
    return Files.isRegularFile(folder.resolve("node_modules/pyodide/package.json"));
  }

  private static boolean nodeIsInstalled() throws InterruptedException {
    try {
      return new ProcessBuilder("node", "--version")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false; // no such program
    }
  }

  static void atLeastOne(String option, int value) {
    if (value < 1) {
      throw new UsageException(option + " is " + value + "; the least is 1");
    }
  }
}
