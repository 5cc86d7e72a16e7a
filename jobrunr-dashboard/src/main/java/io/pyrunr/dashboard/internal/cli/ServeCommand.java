package io.pyrunr.dashboard.internal.cli;

import io.pyrunr.dashboard.internal.files.PrivateFiles;
import io.pyrunr.dashboard.internal.server.Demo;
import io.pyrunr.dashboard.internal.server.JobServer;
import io.pyrunr.dashboard.internal.server.ServerSettings;
import io.pyrunr.dashboard.internal.server.ServerSettings.DatabaseLogin;
import io.pyrunr.dashboard.internal.server.WarmUp;
import io.pyrunr.executor.PythonExecutor;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code pyrunr serve}: the job server with its dashboard. */
@Command(
    name = "serve",
    description = "Runs a job server with a dashboard until it is stopped with Ctrl+C or SIGTERM.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "The password of the database is taken from the environment: PYRUNR_JDBC_PASSWORD.",
      "",
      "Examples:",
      "  pyrunr serve --demo",
      "  pyrunr serve --jdbc-url jdbc:postgresql://127.0.0.1/pyrunr --jdbc-user pyrunr"
    })
public final class ServeCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);
  static final String PASSWORD_VARIABLE = "PYRUNR_JDBC_PASSWORD";
  private static final int HIGHEST_PORT = 65_535;

  /** For what comes after the running jobs' end: connections, files. */
  private static final Duration CLOSING = Duration.ofSeconds(30);

  @Option(names = "--demo", description = "Also enqueue a dozen jobs that show what there is.")
  private boolean demo;

  @Mixin private DataOption data;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Port of the dashboard; default ${DEFAULT-VALUE}, 0 takes a free one.")
  private int port = 8000;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description =
          "Address to listen on; default ${DEFAULT-VALUE}, this machine only. The token is asked for"
              + " on every address, but traffic is not encrypted.")
  private String host = "127.0.0.1";

  @Option(
      names = "--jdbc-url",
      paramLabel = "URL",
      description =
          "Keep jobs in this database, such as jdbc:postgresql://127.0.0.1/pyrunr; default is a file"
              + " in the data folder.")
  private String jdbcUrl;

  @Option(names = "--jdbc-user", paramLabel = "NAME", description = "User of that database.")
  private String jdbcUser;

  @Option(
      names = "--poll-interval",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "How often the database is asked for jobs of others; default and least 5s.")
  private Duration pollInterval = ServerSettings.SHORTEST_POLL_INTERVAL;

  @Option(
      names = "--stop-timeout",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "How long running jobs may take to end when the server stops; default 10s.")
  private Duration stopTimeout = Duration.ofSeconds(10);

  @Option(
      names = "--watch",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Notice wheels that come and go while the server runs; on by default.")
  private boolean watch;

  @Option(
      names = "--no-warm-up",
      description =
          "Do not spend up to 20 s of one core, right after the start, on making the first jobs"
              + " fast.")
  private boolean noWarmUp;

  @Mixin private ExecutorOptions executorOptions;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    ServerSettings settings = settings();
    checkDataFolder();
    PythonExecutor executor = executorOptions.build(settings.workers(), watch);
    JobServer server = start(settings, executor);
    var end = new CompletableFuture<Void>();
    Thread stop =
        new Thread(
            () -> {
              LOG.info("stopping; running jobs get {} s to end", stopTimeout.toSeconds());
              haltAfter(stopTimeout.plus(CLOSING));
              server.close();
              executor.close();
              LOG.info("stopped");
              end.complete(null);
            },
            "pyrunr-stop");
    Runtime.getRuntime().addShutdownHook(stop);
    if (demo) {
      Demo.enqueue(server);
    }
    if (!noWarmUp) {
      WarmUp.begin(() -> executorOptions.build(1, false));
    }
    announce(server, settings.workers());
    var unused = executor.failure().thenAccept(end::completeExceptionally);
    var alsoUnused = server.failure().thenAccept(end::completeExceptionally);
    try {
      end.get();
      return ExitCode.OK;
    } catch (ExecutionException e) { // the shutdown hook does the rest
      throw new IllegalStateException("stopped, jobs cannot run: " + e.getCause().getMessage(), e);
    }
  }

  /**
   * A database can hang in a way that closing it does, too; whoever stops a server wants an end.
   */
  private static void haltAfter(Duration time) {
    Thread thread =
        new Thread(
            () -> {
              try {
                Thread.sleep(time.toMillis());
                LOG.error("could not stop in {} s; ended all the same", time.toSeconds());
                Runtime.getRuntime().halt(ExitCode.SOFTWARE);
              } catch (InterruptedException e) {
                // Nobody does.
              }
            },
            "pyrunr-halt");
    thread.setDaemon(true);
    thread.start();
  }

  private void checkDataFolder() throws IOException {
    Path folder = data.directory();
    if (folder.toString().isEmpty()) {
      throw new UsageException("--data is empty; name a folder");
    }
    if (PrivateFiles.isShared(folder)) {
      throw new UsageException(
          "--data " + folder + " has files and is open to others; name a folder that is new");
    }
  }

  private static JobServer start(ServerSettings settings, PythonExecutor executor)
      throws IOException {
    try {
      return JobServer.start(settings, executor);
    } catch (IOException | RuntimeException e) {
      // Interrupted, close() does not wait for Python, which is still starting.
      Thread.currentThread().interrupt();
      executor.close();
      boolean unused = Thread.interrupted();
      throw e;
    }
  }

  private ServerSettings settings() {
    if (port < 0 || port > HIGHEST_PORT) {
      throw new UsageException("--port is " + port + "; 0 to " + HIGHEST_PORT + " are possible");
    }
    if (pollInterval.compareTo(ServerSettings.SHORTEST_POLL_INTERVAL) < 0) {
      throw new UsageException("--poll-interval is shorter than 5s, the least JobRunr allows");
    }
    if (jdbcUser != null && jdbcUrl == null) {
      throw new UsageException("--jdbc-user goes with --jdbc-url");
    }
    if (jdbcUrl != null
        && !jdbcUrl.startsWith("jdbc:postgresql:")
        && !jdbcUrl.startsWith("jdbc:h2:")) {
      throw new UsageException(
          "--jdbc-url is no JDBC address of PostgreSQL or H2; write it like"
              + " jdbc:postgresql://127.0.0.1/pyrunr");
    }
    return new ServerSettings(
        data.directory(),
        host,
        port,
        Optional.ofNullable(jdbcUrl)
            .map(url -> new DatabaseLogin(url, jdbcUser, System.getenv(PASSWORD_VARIABLE))),
        executorOptions.workers(Runtime.getRuntime().availableProcessors()),
        pollInterval,
        stopTimeout);
  }

  private void announce(JobServer server, int workers) {
    PrintWriter out = spec.commandLine().getOut();
    out.println("Pyrunr is running with " + workers + (workers == 1 ? " worker." : " workers."));
    out.println("Dashboard: " + server.loginUrl());
    String what = jdbcUrl == null ? "Jobs and token: " : "Token: ";
    out.println(what + data.directory().toAbsolutePath().normalize());
    if (!isLoopback(host)) {
      out.println(
          "Other machines can reach it. Traffic is not encrypted: put a TLS proxy in front.");
    }
    out.println("Stop with Ctrl+C.");
    out.flush();
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** The data folder, shared with {@code submit}. */
  static final class DataOption {
    @Option(
        names = "--data",
        paramLabel = "DIR",
        description = "Folder of the server's token and jobs; default ${DEFAULT-VALUE}.")
    private Path directory = Path.of("pyrunr-data");

    Path directory() {
      return directory;
    }
  }
}
