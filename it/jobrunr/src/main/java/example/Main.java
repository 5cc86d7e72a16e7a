package example;

import io.pyrunr.executor.PythonExecutor;
import io.pyrunr.executor.PythonResult;
import io.pyrunr.executor.jobrunr.PythonJobRequest;
import io.pyrunr.executor.jobrunr.PythonJobs;
import io.pyrunr.executor.results.JdbcResultStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;

/** A job of JobRunr's whose code is Python; its result is in the application's own database. */
public final class Main {
  private Main() {}

  public static void main(String[] args) throws InterruptedException {
    var database = new JdbcDataSource();
    database.setUrl("jdbc:h2:mem:example;DB_CLOSE_DELAY=-1");
    var results = new JdbcResultStore(database);
    try (var jobs = PythonJobs.on(PythonExecutor.builder().workers(1).build(), results)) {
      var scheduler =
          jobs.configure(
                  JobRunr.configure().useStorageProvider(SqlStorageProviderFactory.using(database)),
                  BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                      .andPollInterval(Duration.ofSeconds(5)))
              .initialize()
              .getJobRequestScheduler();
      UUID id =
          scheduler
              .enqueue(PythonJobRequest.of("sum(params)").withParams(List.of(1, 2, 3)))
              .asUUID();
      PythonResult result = await(results, id);
      if (result.valueOrThrow(Integer.class) != 6) {
        throw new IllegalStateException("unexpected: " + result);
      }
    }
    System.out.println("it/jobrunr: all well");
  }

  private static PythonResult await(JdbcResultStore results, UUID id) throws InterruptedException {
    Instant deadline = Instant.now().plus(Duration.ofMinutes(2));
    while (Instant.now().isBefore(deadline)) {
      Optional<PythonResult> result = results.find(id);
      if (result.isPresent()) {
        return result.get();
      }
      Thread.sleep(100);
    }
    throw new IllegalStateException("no result of job " + id);
  }
}
