package io.pyrunr.dashboard.internal.cli;

import io.pyrunr.dashboard.internal.job.BadJobException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in one line what was wrong and what to do, instead of a page of help or a stack trace. */
public final class CommandLineErrors {

  private CommandLineErrors() {}

  /** Lets a command line report errors this way. */
  public static void install(CommandLine commandLine) {
    commandLine
        .registerConverter(Path.class, new PathConverter())
        .setParameterExceptionHandler(usage())
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              LoggerFactory.getLogger(CommandLineErrors.class).debug("command failed", e);
              command.getErr().println(command.getCommandSpec().qualifiedName() + ": " + reason(e));
              return e instanceof UsageException || e instanceof BadJobException
                  ? ExitCode.USAGE
                  : ExitCode.SOFTWARE;
            });
  }

  private static IParameterExceptionHandler usage() {
    return (e, args) -> {
      CommandLine command = e.getCommandLine();
      PrintWriter err = command.getErr();
      String name = command.getCommandSpec().qualifiedName();
      err.println(
          name
              + ": "
              + plain(oneLine(e.getMessage()))
              + suggestion(e)
              + "; see '"
              + name
              + " --help'");
      return ExitCode.USAGE;
    };
  }

  /** The types of options are Java's. */
  private static String plain(String message) {
    return message
        .replaceFirst(" is not an? (int|long)$", " is no whole number of a sensible size")
        .replaceFirst("^(Unmatched arguments?|.* parameter) at index \\d+", "$1");
  }

  private static String suggestion(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched
        && !unmatched.getSuggestions().isEmpty()) {
      return " (did you mean " + String.join(" or ", unmatched.getSuggestions()) + "?)";
    }
    return "";
  }

  private static String reason(Throwable e) {
    String message = e instanceof FileSystemException file ? reason(file) : e.getMessage();
    return oneLine(
        message == null || message.isBlank()
            ? "it failed; set the log to debug to see why"
            : message);
  }

  /** The JDK's messages are a bare path, the reason being in the exception's name. */
  private static String reason(FileSystemException e) {
    String what =
        e instanceof AccessDeniedException
            ? "this user may not read or write it"
            : e instanceof NoSuchFileException
                ? "there is no such file or folder"
                : e instanceof FileAlreadyExistsException
                    ? "it exists and is no folder"
                    : e.getReason() == null ? "the system refuses it" : e.getReason();
    return e.getFile() + ": " + what;
  }

  private static String oneLine(String text) {
    return Ansi.OFF.string(
        text.strip()
            .replaceAll("\\s*\\R\\s*", " ")
            .replaceAll("\\p{Cntrl}", "?") // which a terminal would obey
            .replaceFirst("^Error: ", ""));
  }
}
