package io.pyrunr.dashboard.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pyrunr.dashboard.internal.server.JobServer;
import io.pyrunr.dashboard.internal.server.ServerSettings.DatabaseLogin;
import io.pyrunr.dashboard.it.Requires.Service;
import io.pyrunr.executor.jobrunr.PythonJobRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jobrunr.jobs.Job;
import org.jobrunr.jobs.states.ProcessingState;
import org.jobrunr.jobs.states.StateName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several servers on one PostgreSQL. Each test has a schema of its own. */
@Requires(Service.POSTGRESQL)
class PostgresIT {
  @TempDir Path folder;

  private final String schema = "pyrunr_" + UUID.randomUUID().toString().replace("-", "");
  private final List<JobServer> servers = new ArrayList<>();

  @BeforeEach
  void createSchema() throws SQLException {
    execute("CREATE SCHEMA " + schema);
  }

  @AfterEach
  void stop() throws SQLException {
    servers.forEach(JobServer::close);
    execute("DROP SCHEMA " + schema + " CASCADE");
  }

  @Test
  void rowsOfVersion01AreReadAndRun() throws Exception {
    JobServer server = start("update");
    UUID id =
        server
            .scheduler()
            .schedule(Instant.now().plus(Duration.ofDays(300)), PythonJobRequest.of("'replaced'"))
            .asUUID();
    try (var database = connection()) {
      database.setSchema(schema);
      Servers.storeAsVersion01(database, id);
    }
    server.nudge();
    Servers.await(server, id, StateName.SUCCEEDED);
    assertEquals(6, server.result(id).orElseThrow().valueOrThrow());
  }

  @Test
  void twoServersShareTheJobs() throws Exception {
    JobServer first = start("first");
    JobServer second = start("second");
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      ids.add(
          first
              .scheduler()
              .enqueue(PythonJobRequest.of("import time\ntime.sleep(0.2)\nparams").withParams(i))
              .asUUID());
    }
    first.nudge();
    second.nudge();
    Set<UUID> workedOn = new HashSet<>();
    for (int i = 0; i < ids.size(); i++) {
      Job job = Servers.await(second, ids.get(i), StateName.SUCCEEDED);
      assertEquals(1, job.getJobStatesOfType(ProcessingState.class).count(), "run once");
      workedOn.add(job.getLastJobStateOfType(ProcessingState.class).orElseThrow().getServerId());
      assertEquals(i, Servers.result(first, ids.get(i)).at("/value").asInt());
    }
    assertEquals(2, workedOn.size(), "both servers worked");
  }

  @Test
  void serversMayStartAtTheSameMoment() throws Exception {
    List<CompletableFuture<JobServer>> starting =
        List.of(
            CompletableFuture.supplyAsync(() -> startUnchecked("a")),
            CompletableFuture.supplyAsync(() -> startUnchecked("b")));
    for (var server : starting) {
      UUID id = server.join().submit(PythonJobRequest.of("'ok'"));
      Servers.await(server.join(), id, StateName.SUCCEEDED);
    }
  }

  /** PostgreSQL's text cannot hold NUL, nor UTF-8 half a character. */
  @Test
  void anyTextSurvives() throws Exception {
    JobServer server = start("text");
    UUID id =
        server.submit(
            PythonJobRequest.of("print(params)\nprint(chr(0), 'é😀')\n[params, chr(0), 'é😀']")
                .withParamsJson("\"a\\u0000b\""));
    Servers.await(server, id, StateName.SUCCEEDED);
    var result = Servers.result(server, id);
    assertEquals("a\u0000b\n\u0000 é😀\n", result.at("/stdout").asText());
    assertEquals("a\u0000b", result.at("/value/0").asText());
    assertEquals("é😀", result.at("/value/2").asText());
  }

  @Test
  void aLargeResultIsKeptWhole() throws Exception {
    JobServer server = start("large");
    UUID id = server.submit(PythonJobRequest.of("'x' * 5_000_000"));
    Servers.await(server, id, StateName.SUCCEEDED);
    assertEquals(5_000_000, Servers.result(server, id).at("/value").asText().length());
    assertTrue(server.find(id).orElseThrow().getMetadata().toString().length() < 10_000);
  }

  private JobServer start(String name) throws IOException {
    JobServer server =
        Servers.start(
            folder.resolve(name),
            Optional.of(
                new DatabaseLogin(
                    url(),
                    System.getenv("PYRUNR_TEST_POSTGRES_USER"),
                    System.getenv("PYRUNR_TEST_POSTGRES_PASSWORD"))),
            Servers.python());
    synchronized (servers) {
      servers.add(server);
    }
    return server;
  }

  private JobServer startUnchecked(String name) {
    try {
      return start(name);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private String url() {
    return System.getenv("PYRUNR_TEST_POSTGRES_URL") + "?currentSchema=" + schema;
  }

  private static Connection connection() throws SQLException {
    return DriverManager.getConnection(
        System.getenv("PYRUNR_TEST_POSTGRES_URL"),
        System.getenv("PYRUNR_TEST_POSTGRES_USER"),
        System.getenv("PYRUNR_TEST_POSTGRES_PASSWORD"));
  }

  private static void execute(String sql) throws SQLException {
    try (var connection = connection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
