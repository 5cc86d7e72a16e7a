package io.pyrunr.dashboard.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.pyrunr.dashboard.internal.http.AccessToken;
import io.pyrunr.dashboard.internal.server.JobServer;
import io.pyrunr.executor.PythonExecutor;
import io.pyrunr.executor.jobrunr.PythonJobRequest;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jobrunr.jobs.Job;
import org.jobrunr.jobs.context.JobDashboardLogger.JobDashboardLogLines;
import org.jobrunr.jobs.context.JobDashboardProgressBar.JobDashboardProgress;
import org.jobrunr.jobs.states.FailedState;
import org.jobrunr.jobs.states.StateName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Python jobs through JobRunr on its default store, a file of H2. */
class JobServerIT {
  @TempDir Path folder;

  private JobServer server;

  @BeforeEach
  void start() throws IOException {
    server = Servers.start(folder);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aJobsValueOutputAndProgressAreKept() throws Exception {
    UUID id =
        server.submit(
            PythonJobRequest.of(
                    """
                    import pyrunr, sys
                    print("hello\\nwörld")
                    print("careful", file=sys.stderr)
                    pyrunr.progress(0.5)
                    {"sum": sum(params["xs"]), "big": 2**200}
                    """)
                .withParams(Map.of("xs", List.of(1, 2, 3))));
    Job job = Servers.await(server, id, StateName.SUCCEEDED);
    JsonNode result = Servers.result(server, id);
    assertEquals(6, result.at("/value/sum").asInt());
    assertEquals("hello\nwörld\n", result.at("/stdout").asText());
    assertTrue(
        server
            .result(id)
            .orElseThrow()
            .valueJson()
            .contains("1606938044258990275541962092341162602522202993782792835301376"));
    assertEquals(50, progress(job));
    assertTrue(
        log(job).containsAll(List.of("INFO hello", "INFO wörld", "WARN careful")),
        log(job).toString());
    assertTrue(
        log(job).get(log(job).size() - 1).startsWith("INFO Result: {\"sum\":"),
        log(job).toString());
  }

  @Test
  void anErrorInTheCodeFailsOnceWithThePythonTraceback() throws Exception {
    UUID id =
        server.submit(
            PythonJobRequest.of("def total(x):\n    return 1 / x\n\nprint('dividing')\ntotal(0)"));
    Job job = Servers.await(server, id, StateName.FAILED);
    FailedState failed = job.getJobState();
    assertEquals(1, job.getJobStatesOfType(FailedState.class).count());
    assertEquals("ZeroDivisionError: division by zero", failed.getExceptionMessage());
    String shown = failed.getStackTrace();
    assertTrue(shown.startsWith("Traceback (most recent call last):"), shown);
    assertTrue(shown.contains("in total"), shown);
    assertTrue(shown.strip().endsWith("ZeroDivisionError: division by zero"), shown);
    assertFalse(shown.contains("\tat "), shown);
    assertFalse(shown.contains("java"), shown);
    assertEquals("ZeroDivisionError", Servers.result(server, id).at("/error/type").asText());
    assertTrue(log(job).contains("INFO dividing"), log(job).toString());
  }

  @Test
  void limitsEndAJobAndNotTheServer() throws Exception {
    UUID endless =
        server.submit(PythonJobRequest.of("while True: pass").withWallTime(Duration.ofMillis(500)));
    UUID hog =
        server.submit(
            PythonJobRequest.of("x = [bytearray(1 << 20) for _ in range(4096)]")
                .withMemoryBytes(128L << 20));
    Servers.await(server, endless, StateName.FAILED);
    assertEquals("TIMED_OUT", Servers.result(server, endless).at("/status").asText());
    Servers.await(server, hog, StateName.FAILED);
    assertEquals("MemoryError", Servers.result(server, hog).at("/error/type").asText());
    UUID next = server.submit(PythonJobRequest.of("1 + 1"));
    Servers.await(server, next, StateName.SUCCEEDED);
    assertEquals(2, Servers.result(server, next).at("/value").asInt());
  }

  @Test
  void aDeletedJobStopsAtOnceAndItsWorkerIsFreeAgain() throws Exception {
    // As many as there are workers, so that what follows needs theirs.
    List<UUID> running =
        List.of(server.submit(endless()), server.submit(endless().withName("another")));
    for (UUID id : running) {
      Servers.await(server, id, job -> job.getState() == StateName.PROCESSING);
    }
    Thread.sleep(500);
    for (UUID id : running) {
      server.delete(id);
    }
    Instant deleted = Instant.now();
    UUID next = server.submit(PythonJobRequest.of("'next'"));
    Servers.await(server, next, StateName.SUCCEEDED);
    assertTrue(
        Duration.between(deleted, Instant.now()).compareTo(Duration.ofSeconds(60)) < 0,
        "an endless job would have held its worker for ten minutes");
    for (UUID id : running) {
      assertEquals(StateName.DELETED, server.find(id).orElseThrow().getState());
      assertEquals(Optional.empty(), server.result(id));
    }
  }

  @Test
  void troubleThatIsNotTheJobsIsRetried() throws Exception {
    server.close();
    PythonExecutor closed = PythonExecutor.builder().build();
    Thread.currentThread().interrupt();
    closed.close();
    assertTrue(Thread.interrupted());
    UUID id;
    try (JobServer broken = Servers.start(folder, Optional.empty(), closed)) {
      id = broken.submit(PythonJobRequest.of("'at last'"));
      Job job = Servers.await(broken, id, StateName.SCHEDULED);
      assertEquals(1, job.getJobStatesOfType(FailedState.class).count());
    }
    server = Servers.start(folder);
    Servers.await(server, id, StateName.SUCCEEDED);
    assertEquals("at last", Servers.result(server, id).at("/value").asText());
  }

  @Test
  void aRestartKeepsJobsAndResults() throws Exception {
    UUID done = server.submit(PythonJobRequest.of("'before'"));
    Servers.await(server, done, StateName.SUCCEEDED);
    UUID later =
        server
            .scheduler()
            .schedule(Instant.now().plusSeconds(3), PythonJobRequest.of("'after'"))
            .asUUID();
    server.close();
    server = Servers.start(folder);
    assertEquals("before", Servers.result(server, done).at("/value").asText());
    Servers.await(server, later, StateName.SUCCEEDED);
    assertEquals("after", Servers.result(server, later).at("/value").asText());
  }

  @Test
  void rowsOfVersion01AreReadAndRun() throws Exception {
    UUID id = farAway(server);
    try (var database =
        DriverManager.getConnection("jdbc:h2:retry:" + folder.resolve("jobs"), "sa", "")) {
      Servers.storeAsVersion01(database, id);
    }
    server.nudge();
    Job job = Servers.await(server, id, StateName.SUCCEEDED);
    assertEquals(6, server.result(id).orElseThrow().valueOrThrow());
    assertTrue(job.getJobDetails().getJobParameterValues()[0].toString().equals("from 0.1"));
  }

  private static UUID farAway(JobServer server) {
    Instant later = Instant.now().plus(Duration.ofDays(300));
    return server.scheduler().schedule(later, PythonJobRequest.of("'replaced'")).asUUID();
  }

  @Test
  void aJobThatTheServersStopInterruptsRunsAgain() throws Exception {
    UUID id =
        server.submit(
            PythonJobRequest.of("import time\nprint('working')\ntime.sleep(params)\n'done'")
                .withParams(25)
                .withWallTime(Duration.ofMinutes(5)));
    Servers.await(server, id, StateName.PROCESSING);
    Thread.sleep(500);
    server.close(); // waits 10 s, then interrupts
    server = Servers.start(folder);
    Job job = Servers.await(server, id, StateName.SUCCEEDED);
    assertEquals("done", Servers.result(server, id).at("/value").asText());
    assertTrue(job.getJobStates().size() > 3, job.getJobStates().toString());
  }

  /** It will run again when a server comes, so its id is what its submitter needs then. */
  @Test
  void whoWaitsForAJobLearnsItsIdWhenTheServerStops() throws Exception {
    String[] submit = {
      "submit", "--wait", "--data", folder.toString(), "--timeout", "10m", "-c", "while True: pass"
    };
    var ended = CompletableFuture.supplyAsync(() -> run(submit));
    UUID id = awaitTheOnlyRunningJob();
    server.close();
    assertEquals(1, ended.get().exitCode());
    String said = ended.get().err();
    assertTrue(said.startsWith("pyrunr submit: job " + id + " was taken"), said);
  }

  private PackagedJar.Output run(String... arguments) {
    try {
      return PackagedJar.run(folder, arguments);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private UUID awaitTheOnlyRunningJob() throws IOException, InterruptedException {
    HttpRequest running =
        HttpRequest.newBuilder(server.url().resolve("/api/jobs?state=PROCESSING&limit=1"))
            .header("Authorization", "Bearer " + AccessToken.read(folder))
            .build();
    HttpClient client = HttpClient.newHttpClient();
    while (true) {
      String page = client.send(running, BodyHandlers.ofString()).body();
      String id = new ObjectMapper().readTree(page).at("/items/0/id").asText();
      if (!id.isEmpty()) {
        return UUID.fromString(id);
      }
      Thread.sleep(100);
    }
  }

  private static PythonJobRequest endless() {
    return PythonJobRequest.of("while True: pass").withWallTime(Duration.ofMinutes(10));
  }

  private static List<String> log(Job job) {
    return job.getMetadata().values().stream()
        .filter(JobDashboardLogLines.class::isInstance)
        .map(JobDashboardLogLines.class::cast)
        .flatMap(lines -> lines.getLogLines().stream())
        .map(line -> line.getLevel() + " " + line.getLogMessage())
        .toList();
  }

  private static int progress(Job job) {
    return job.getMetadata().values().stream()
        .filter(JobDashboardProgress.class::isInstance)
        .map(JobDashboardProgress.class::cast)
        .findFirst()
        .orElseThrow()
        .getProgressAsPercentage();
  }
}
