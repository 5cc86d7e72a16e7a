package io.pyrunr.executor.results;

import static java.util.Objects.requireNonNull;

import io.pyrunr.executor.PythonResult;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Results in one table beside JobRunr's, in plain SQL that H2 and PostgreSQL share; it has been
 * tried on no other database. The result is one JSON document in a text column: it is written once
 * and read whole. Thread-safe, if the data source is.
 */
public final class JdbcResultStore implements ResultStore {
  private static final String CREATE =
      "CREATE TABLE IF NOT EXISTS pyrunr_results ("
          + "job_id VARCHAR(36) PRIMARY KEY, "
          + "saved_at BIGINT NOT NULL, "
          + "result TEXT NOT NULL)";
  private static final String CREATE_INDEX =
      "CREATE INDEX IF NOT EXISTS pyrunr_results_saved_at ON pyrunr_results (saved_at)";

  private final DataSource dataSource;

  /**
   * Uses a database, creating the table {@code pyrunr_results} if it is missing.
   *
   * @throws ResultStoreException if the table can neither be found nor created
   */
  public JdbcResultStore(DataSource dataSource) {
    this.dataSource = requireNonNull(dataSource, "dataSource");
    createTable();
  }

  @Override
  public void save(UUID jobId, PythonResult result) {
    String json = result.toJson();
    inTransaction(
        "save the result of job " + jobId,
        connection -> {
          // A job that JobRunr ran twice (a server died before it could report) replaces its
          // result.
          try (var delete =
              connection.prepareStatement("DELETE FROM pyrunr_results WHERE job_id = ?")) {
            delete.setString(1, jobId.toString());
            delete.executeUpdate();
          }
          try (var insert =
              connection.prepareStatement(
                  "INSERT INTO pyrunr_results (job_id, saved_at, result) VALUES (?, ?, ?)")) {
            insert.setString(1, jobId.toString());
            insert.setLong(2, Instant.now().toEpochMilli());
            insert.setString(3, json);
            return insert.executeUpdate();
          }
        });
  }

  @Override
  public Optional<PythonResult> find(UUID jobId) {
    Optional<String> json = json(jobId);
    try {
      return json.map(PythonResult::fromJson);
    } catch (IllegalArgumentException e) {
      throw new ResultStoreException(
          "cannot read the result of job " + jobId + ": " + e.getMessage(), e);
    }
  }

  private Optional<String> json(UUID jobId) {
    return inTransaction(
        "read the result of job " + jobId,
        connection -> {
          try (var select =
              connection.prepareStatement("SELECT result FROM pyrunr_results WHERE job_id = ?")) {
            select.setString(1, jobId.toString());
            try (ResultSet rows = select.executeQuery()) {
              return rows.next() ? Optional.of(rows.getString(1)) : Optional.empty();
            }
          }
        });
  }

  @Override
  public int deleteOlderThan(Instant instant) {
    return inTransaction(
        "delete old results",
        connection -> {
          try (var delete =
              connection.prepareStatement("DELETE FROM pyrunr_results WHERE saved_at < ?")) {
            delete.setLong(1, instant.toEpochMilli());
            return delete.executeUpdate();
          }
        });
  }

  private void createTable() {
    try {
      inTransaction(
          "create the table pyrunr_results",
          connection -> {
            try (var statement = connection.createStatement()) {
              statement.execute(CREATE);
              return statement.execute(CREATE_INDEX);
            }
          });
    } catch (ResultStoreException e) {
      // On PostgreSQL, IF NOT EXISTS still collides when two servers start at one time.
      var unused = json(new UUID(0, 0));
    }
  }

  private <T> T inTransaction(String what, Work<T> work) {
    try (Connection connection = dataSource.getConnection()) {
      boolean autoCommit = connection.getAutoCommit();
      connection.setAutoCommit(false);
      try {
        T value = work.run(connection);
        connection.commit();
        return value;
      } catch (SQLException e) {
        connection.rollback();
        throw e;
      } finally {
        connection.setAutoCommit(autoCommit);
      }
    } catch (SQLException e) {
      throw new ResultStoreException("cannot " + what + ": " + e.getMessage(), e);
    }
  }

  private interface Work<T> {
    T run(Connection connection) throws SQLException;
  }
}
