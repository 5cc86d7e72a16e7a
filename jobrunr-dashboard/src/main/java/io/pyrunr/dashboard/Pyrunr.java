package io.pyrunr.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pyrunr.dashboard.internal.cli.BenchCommand;
import io.pyrunr.dashboard.internal.cli.CommandLineErrors;
import io.pyrunr.dashboard.internal.cli.RunCommand;
import io.pyrunr.dashboard.internal.cli.ServeCommand;
import io.pyrunr.dashboard.internal.cli.SoakCommand;
import io.pyrunr.dashboard.internal.cli.SubmitCommand;
import io.pyrunr.dashboard.internal.cli.WheelsCommand;
import io.pyrunr.executor.internal.image.LoadAhead;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The command line of Pyrunr. Exit codes: 0 done, 1 a job failed or the work broke off, 2 usage.
 */
@Command(
    name = "pyrunr",
    description = "Runs Python jobs in Pyodide inside the JVM.",
    synopsisSubcommandLabel = "(run | serve | submit | wheels | bench | soak)",
    mixinStandardHelpOptions = true,
    versionProvider = Pyrunr.Version.class,
    footer = {"", "'pyrunr COMMAND --help' explains a command."})
public final class Pyrunr {

  /** What the JVM puts in the place of bytes that are no text in the locale's encoding. */
  private static final char NO_CHARACTER = '\ufffd';

  private Pyrunr() {}

  /** Runs the command line and ends the JVM with its exit code. */
  public static void main(String[] args) {
    // UTF-8 whatever the locale says: results are JSON.
    var out = new PrintWriter(new FileOutputStream(FileDescriptor.out), false, UTF_8);
    var err = new PrintWriter(new FileOutputStream(FileDescriptor.err), true, UTF_8);
    boolean anyText = "UTF-8".equals(System.getProperty("sun.jnu.encoding"));
    if (!anyText && Arrays.stream(args).anyMatch(arg -> arg.indexOf(NO_CHARACTER) >= 0)) {
      err.println(
          "pyrunr: the command line has characters that the locale does not; set LC_ALL=C.UTF-8, or"
              + " write them in a file");
      System.exit(CommandLine.ExitCode.USAGE);
    }
    if (RunCommand.isPlain(args)) {
      LoadAhead.begin(); // while the command line is read
    }
    int exitCode = run(out, err, args);
    System.exit(exitCode);
  }

  /** Runs the command line and returns its exit code; output goes to the given writers. */
  static int run(PrintWriter out, PrintWriter err, String... args) {
    var commandLine = new CommandLine(new Pyrunr());
    // First, since what is set goes to the commands that are there.
    commands(args.length == 0 ? "" : args[0]).forEach(commandLine::addSubcommand);
    commandLine.setOut(out).setErr(err);
    // Python code may begin with '@'; it names no file of arguments.
    commandLine.setExpandAtFiles(false);
    CommandLineErrors.install(commandLine);
    int exitCode = commandLine.execute(args.length == 0 ? new String[] {"--help"} : args);
    boolean lost = out.checkError(); // which writes what is left
    return lost && exitCode == CommandLine.ExitCode.OK ? CommandLine.ExitCode.SOFTWARE : exitCode;
  }

  /**
   * The command that is asked for, or all of them if it is none of them: reading the options of one
   * takes a while.
   */
  private static List<Callable<Integer>> commands(String name) {
    return switch (name) {
      case "run" -> List.of(new RunCommand());
      case "serve" -> List.of(new ServeCommand());
      case "submit" -> List.of(new SubmitCommand());
      case "wheels" -> List.of(new WheelsCommand());
      case "bench" -> List.of(new BenchCommand());
      case "soak" -> List.of(new SoakCommand());
      default ->
          List.of(
              new RunCommand(),
              new ServeCommand(),
              new SubmitCommand(),
              new WheelsCommand(),
              new BenchCommand(),
              new SoakCommand());
    };
  }

  /** The version from the jar's manifest. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Pyrunr.class.getPackage().getImplementationVersion();
      return new String[] {"pyrunr " + (version == null ? "(unpackaged)" : version)};
    }
  }
}
