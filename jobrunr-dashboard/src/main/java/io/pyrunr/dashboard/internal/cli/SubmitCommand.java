package io.pyrunr.dashboard.internal.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pyrunr submit}: hands a job to a running {@code pyrunr serve}. */
@Command(
    name = "submit",
    description =
        "Hands a Python job to a running 'pyrunr serve' and prints the job's id, or with --wait its"
            + " result.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the job was taken, or with --wait succeeded",
      "1:the server could not be reached, or with --wait the job failed",
      "2:the command was not understood"
    },
    footer = {
      "",
      "A server whose data folder is elsewhere is reached with --url; its token",
      "is then taken from the environment: PYRUNR_TOKEN.",
      "",
      "Example:",
      "  pyrunr submit -c 'sum(params)' --params '[1,2,3]' --wait"
    })
public final class SubmitCommand implements Callable<Integer> {

  @ArgGroup(multiplicity = "1")
  private Source source;

  @Mixin private JobOptions options;

  @Option(names = "--name", description = "What the dashboard shows; default the first line.")
  private String name;

  @Option(names = "--wait", description = "Wait for the job's end and print its result.")
  private boolean wait;

  @Mixin private ServeCommand.DataOption data;

  @Option(names = "--url", description = "Address of the server, such as http://127.0.0.1:8000.")
  private String url;

  @Spec private CommandSpec spec;

  /** Where the code comes from: exactly one of the two. */
  static final class Source {
    @Option(names = "-c", paramLabel = "CODE", description = "Python code.")
    private String code;

    @Parameters(paramLabel = "FILE", description = "A file of Python code.")
    private Path file;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    String request = request(); // so that mistakes in it are told first
    ServerConnection server =
        url == null
            ? ServerConnection.fromDataDirectory(data.directory())
            : ServerConnection.fromEnvironment(url);
    String id = server.submit(request);
    PrintWriter out = spec.commandLine().getOut();
    if (!wait) {
      out.println(id);
      return ExitCode.OK;
    }
    try {
      ServerConnection.Ending ending = server.waitFor(id);
      out.println(ending.line());
      return ending.succeeded() ? ExitCode.OK : ExitCode.SOFTWARE;
    } catch (IOException e) {
      throw new IOException("job " + id + " was taken, its end is not known: " + e.getMessage(), e);
    }
  }

  private String request() throws IOException {
    String code = source.code != null ? source.code : CodeFile.read(source.file);
    String params = options.params();
    var text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("code", code);
      if (name != null) {
        json.writeStringField("name", name);
      } else if (source.file != null) {
        json.writeStringField("name", source.file.getFileName().toString());
      }
      if (params != null) {
        json.writeFieldName("params");
        json.writeRawValue(params);
      }
      if (options.timeout() != null) {
        json.writeNumberField("timeoutMs", options.timeout().toMillis());
      }
      if (options.memory() != null) {
        json.writeNumberField("memoryBytes", options.memory());
      }
      if (options.requires() != null) {
        json.writeFieldName("requires");
        json.writeArray(options.requires().toArray(String[]::new), 0, options.requires().size());
      }
      json.writeEndObject();
    }
    return text.toString();
  }
}
