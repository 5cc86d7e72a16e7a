package io.pyrunr.dashboard.internal.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How a job server is set up.
 *
 * @param dataDirectory holds the access token and, unless another database is named, the jobs
 * @param host address to listen on
 * @param port to listen on; 0 takes a free one
 * @param database where jobs are kept; empty stands for a file in the data directory
 * @param workers jobs at one time
 * @param pollInterval how often the database is asked for work; JobRunr allows 5 s or more
 * @param stopTimeout how long running jobs may take to end when the server stops
 */
public record ServerSettings(
    Path dataDirectory,
    String host,
    int port,
    Optional<DatabaseLogin> database,
    int workers,
    Duration pollInterval,
    Duration stopTimeout) {

  /** The shortest that JobRunr allows for SQL stores. */
  public static final Duration SHORTEST_POLL_INTERVAL = Duration.ofSeconds(5);

  /**
   * A database by JDBC URL.
   *
   * @param url such as {@code jdbc:postgresql://127.0.0.1/pyrunr}
   * @param user may be null if the URL holds it
   * @param password may be null
   */
  public record DatabaseLogin(String url, String user, String password) {
    @Override
    public String toString() {
      return "DatabaseLogin[" + user + "]"; // URLs may hold passwords
    }
  }
}
