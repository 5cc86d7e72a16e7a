package io.pyrunr.dashboard.internal.server;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import io.pyrunr.dashboard.internal.server.ServerSettings.DatabaseLogin;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Opens the database that keeps jobs and results. */
final class Databases {
  private static final int SPARE_CONNECTIONS = 4;
  private static final int H2_DATABASE_ALREADY_OPEN = 90020;

  /** "pyrunr" in ASCII, to be no one else's. */
  private static final long CREATION_LOCK = 0x707972756e72L;

  /** Its driver complains of addresses, passwords in them included. Held, or it is forgotten. */
  private static final Logger POSTGRESQL_LOG = Logger.getLogger("org.postgresql");

  private Databases() {}

  /**
   * Opens a pool of connections, with room for each worker and for JobRunr's own threads.
   *
   * @throws IllegalStateException in one line if the database cannot be reached
   */
  static HikariDataSource open(ServerSettings settings) {
    var config = new HikariConfig();
    config.setPoolName("pyrunr");
    config.setMaximumPoolSize(settings.workers() + SPARE_CONNECTIONS);
    if (settings.database().isPresent()) {
      DatabaseLogin login = settings.database().get();
      POSTGRESQL_LOG.setLevel(Level.OFF);
      config.setJdbcUrl(login.url());
      config.setUsername(login.user());
      config.setPassword(login.password());
    } else {
      config.setJdbcUrl(h2Url(settings.dataDirectory()));
      config.setUsername("sa");
      config.setPassword("");
    }
    try {
      return new HikariDataSource(config);
    } catch (PoolInitializationException e) {
      throw new IllegalStateException(explain(settings, e), e);
    } catch (RuntimeException e) { // whose message holds all of the address, a password too
      throw new IllegalStateException(
          "cannot open the job database at "
              + address(config.getJdbcUrl())
              + ": its driver cannot read that address; see --jdbc-url",
          e);
    }
  }

  /**
   * Creates tables while no other server does. PostgreSQL's {@code CREATE TABLE} fails for one of
   * two that run at the same moment, and JobRunr's migrations do not expect that.
   */
  static <T> T oneAtATime(HikariDataSource dataSource, Supplier<T> creation) {
    if (!dataSource.getJdbcUrl().startsWith("jdbc:postgresql:")) {
      return creation.get();
    }
    // The lock belongs to the connection, so it also ends with a server that dies.
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_advisory_lock(" + CREATION_LOCK + ")");
      try {
        return creation.get();
      } finally {
        statement.execute("SELECT pg_advisory_unlock(" + CREATION_LOCK + ")");
      }
    } catch (SQLException e) {
      throw new IllegalStateException("cannot use the job database: " + e.getMessage(), e);
    }
  }

  /**
   * H2 closes its file when a thread that uses it is interrupted, and JobRunr interrupts the thread
   * of a deleted job. The "retry" file system opens it again.
   */
  private static String h2Url(Path dataDirectory) {
    Path file = dataDirectory.toAbsolutePath().resolve("jobs");
    if (file.toString().indexOf(';') >= 0) {
      throw new IllegalStateException(
          "the data folder "
              + dataDirectory
              + " has a ';' in its path; choose another with --data");
    }
    return "jdbc:h2:retry:" + file + ";DB_CLOSE_ON_EXIT=FALSE;TRACE_LEVEL_FILE=0";
  }

  private static String explain(ServerSettings settings, PoolInitializationException e) {
    Throwable root = e;
    while (root.getCause() != null) {
      if (root instanceof SQLException sql && sql.getErrorCode() == H2_DATABASE_ALREADY_OPEN) {
        break;
      }
      root = root.getCause();
    }
    if (settings.database().isEmpty()
        && root instanceof SQLException sql
        && sql.getErrorCode() == H2_DATABASE_ALREADY_OPEN) {
      return "the data folder "
          + settings.dataDirectory()
          + " is in use by another pyrunr serve; stop it or choose another with --data";
    }
    String reason = root.getMessage() == null ? "it does not answer" : root.getMessage();
    if (settings.database().isPresent()) {
      String url = settings.database().get().url();
      reason = reason.replace(url, address(url));
    }
    String where =
        settings
            .database()
            .map(login -> "at " + address(login.url()))
            .orElse("in " + settings.dataDirectory());
    return "cannot open the job database " + where + ": " + reason;
  }

  /** Without what may hold a password. */
  private static String address(String url) {
    return url.replaceFirst("[?;].*", "").replaceFirst("//.*@", "//");
  }
}
