package io.pyrunr.dashboard.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.pyrunr.dashboard.internal.server.JobServer;
import io.pyrunr.dashboard.internal.server.ServerSettings;
import io.pyrunr.dashboard.internal.server.ServerSettings.DatabaseLogin;
import io.pyrunr.executor.PythonExecutor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.jobs.Job;
import org.jobrunr.jobs.states.StateName;

/** Real job servers in this JVM. They share one Python, whose start is the slow part. */
final class Servers {
  static final int WORKERS = 2;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private Servers() {}

  /** Lives as long as the JVM. */
  static PythonExecutor python() {
    return Holder.PYTHON;
  }

  /** As JobRunr's own jar has it. */
  static String jobRunrVersion() {
    return JobRunr.class.getPackage().getImplementationVersion();
  }

  static JobServer start(Path folder) throws IOException {
    return start(folder, Optional.empty(), python());
  }

  static JobServer start(Path folder, Optional<DatabaseLogin> database, PythonExecutor python)
      throws IOException {
    return JobServer.start(
        new ServerSettings(
            folder,
            "127.0.0.1",
            0,
            database,
            WORKERS,
            ServerSettings.SHORTEST_POLL_INTERVAL,
            Duration.ofSeconds(10)),
        python);
  }

  static Job await(JobServer server, UUID id, StateName... states) throws InterruptedException {
    return await(server, id, job -> java.util.List.of(states).contains(job.getState()));
  }

  static Job await(JobServer server, UUID id, Predicate<Job> condition)
      throws InterruptedException {
    Instant deadline = Instant.now().plus(PATIENCE);
    while (true) {
      Job job = server.find(id).orElseThrow();
      if (condition.test(job)) {
        return job;
      }
      if (Instant.now().isAfter(deadline)) {
        throw new AssertionError("still " + job.getState() + " after " + PATIENCE + ": " + job);
      }
      Thread.sleep(50);
    }
  }

  static JsonNode result(JobServer server, UUID id) throws IOException {
    return JSON.readTree(server.result(id).orElseThrow().toJson());
  }

  /**
   * Puts a row that version 0.1 has stored in the place of a job's, ready to run, as it would be
   * found after an update.
   */
  static void storeAsVersion01(Connection database, UUID id) throws IOException, SQLException {
    String row;
    try (InputStream in = Servers.class.getResourceAsStream("job-row-0.1.json")) {
      row =
          new String(in.readAllBytes(), StandardCharsets.UTF_8).strip().replace("ROW-ID", "" + id);
    }
    try (var update =
        database.prepareStatement(
            "UPDATE jobrunr_jobs SET jobAsJson = ?, state = 'ENQUEUED', scheduledAt = NULL"
                + " WHERE id = ?")) {
      update.setString(1, row);
      update.setString(2, id.toString());
      assertEquals(1, update.executeUpdate());
    }
  }

  private static final class Holder {
    static final PythonExecutor PYTHON = PythonExecutor.builder().workers(WORKERS).build();
  }
}
