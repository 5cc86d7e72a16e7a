package io.pyrunr.dashboard.internal.server;

import com.zaxxer.hikari.HikariDataSource;
import io.pyrunr.dashboard.internal.files.PrivateFiles;
import io.pyrunr.dashboard.internal.http.AccessToken;
import io.pyrunr.dashboard.internal.http.DashboardHttpServer;
import io.pyrunr.dashboard.internal.http.JobControl;
import io.pyrunr.executor.PythonExecutor;
import io.pyrunr.executor.PythonResult;
import io.pyrunr.executor.jobrunr.PythonJobNaming;
import io.pyrunr.executor.jobrunr.PythonJobRequest;
import io.pyrunr.executor.jobrunr.PythonJobs;
import io.pyrunr.executor.results.JdbcResultStore;
import io.pyrunr.executor.results.ResultStore;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jobrunr.jobs.Job;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobSteward;
import org.jobrunr.storage.JobNotFoundException;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;
import org.jobrunr.utils.mapper.JsonMapper;
import org.jobrunr.utils.mapper.jackson.JacksonJsonMapper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running job server: JobRunr over a database, a Python executor, and the dashboard with its HTTP
 * interface. Built by hand rather than through {@code JobRunr.configure()}, which keeps its parts
 * in static fields, so that several can live in one JVM.
 *
 * <p>Thread-safe. Closing it lets running jobs end, within the settings' time, and then stops them;
 * JobRunr runs those again when a server is back.
 */
public final class JobServer implements JobControl, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JobServer.class);

  /** Results outlive their jobs' rows, which JobRunr drops after 36 + 72 hours. */
  private static final Duration KEEP_RESULTS = Duration.ofDays(7);

  /** Half a minute in steps of a second. */
  private static final int MOST_CHECKS_NOT_RUNNING = 30;

  /** Ten seconds in steps of ten milliseconds. */
  private static final int ANNOUNCEMENT_CHECKS = 1_000;

  private final HikariDataSource dataSource;
  private final StorageProvider storage;
  private final ResultStore results;
  private final JobRequestScheduler scheduler;
  private final BackgroundJobServer jobs;
  private final DashboardHttpServer http;
  private final AccessToken token;
  private final UrlFile urlFile;
  private final ScheduledExecutorService housekeeping =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "pyrunr-housekeeping");
            thread.setDaemon(true);
            return thread;
          });
  private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
  private int checksNotRunning;
  private boolean closed;

  private JobServer(ServerSettings settings, PythonExecutor executor, HikariDataSource dataSource)
      throws IOException {
    this.dataSource = dataSource;
    JsonMapper jsonMapper = new JacksonJsonMapper();
    storage = Databases.oneAtATime(dataSource, () -> SqlStorageProviderFactory.using(dataSource));
    storage.setJobMapper(new JobMapper(jsonMapper));
    results = new JdbcResultStore(dataSource);
    scheduler = new JobRequestScheduler(storage, List.of(new PythonJobNaming()));
    PythonJobs python = PythonJobs.on(executor, results);
    jobs =
        new BackgroundJobServer(
            storage,
            jsonMapper,
            python.activator(),
            python.withWorkers(
                BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                    .andName("pyrunr")
                    .andPollInterval(settings.pollInterval())
                    .andInterruptJobsAwaitDurationOnStopBackgroundJobServer(
                        settings.stopTimeout())));
    jobs.setJobFilters(List.of(new PythonJobNaming()));
    token = AccessToken.in(settings.dataDirectory());
    http =
        DashboardHttpServer.bind(
            settings.host(), settings.port(), token, storage, jsonMapper, this);
    urlFile = UrlFile.in(settings.dataDirectory());
  }

  /**
   * Starts a server.
   *
   * @param executor runs the jobs; stays the caller's, to be closed after the server
   * @throws IOException if the data folder cannot be written or the port cannot be bound
   * @throws IllegalStateException if the database cannot be opened
   */
  public static JobServer start(ServerSettings settings, PythonExecutor executor)
      throws IOException {
    HikariDataSource dataSource = null;
    JobServer server = null;
    try {
      PrivateFiles.createFolder(settings.dataDirectory());
      dataSource = Databases.open(settings);
      server = new JobServer(settings, executor, dataSource);
      server.begin();
      return server;
    } catch (IOException | RuntimeException e) {
      if (server != null) {
        server.close();
      } else if (dataSource != null) {
        dataSource.close();
      }
      throw e;
    }
  }

  private void begin() throws IOException {
    jobs.start();
    awaitAnnouncement();
    http.start();
    urlFile.write(http.url());
    var unused =
        housekeeping.scheduleWithFixedDelay(this::deleteOldResults, 1, 60, TimeUnit.MINUTES);
    var alsoUnused = housekeeping.scheduleWithFixedDelay(this::check, 1, 1, TimeUnit.SECONDS);
  }

  /**
   * JobRunr stops by itself, and for good, when its database is away for too long. While it starts
   * it does not count as running either.
   */
  private void check() {
    checksNotRunning = jobs.isRunning() ? 0 : checksNotRunning + 1;
    if (checksNotRunning >= MOST_CHECKS_NOT_RUNNING) {
      failure.complete(
          new IllegalStateException("the job database was away for too long; start again"));
    }
  }

  /** Completes with the reason if this server takes no more jobs though nobody has closed it. */
  public CompletableFuture<Throwable> failure() {
    return failure.copy();
  }

  /** JobRunr takes no work before, and does not like to be stopped while it announces itself. */
  private void awaitAnnouncement() {
    for (int i = 0; i < ANNOUNCEMENT_CHECKS && jobs.isUnAnnounced(); i++) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  /** Where the dashboard is, such as {@code http://127.0.0.1:8000}. */
  public URI url() {
    return http.url();
  }

  /** A link that logs a browser in to the dashboard. */
  public URI loginUrl() {
    return http.url().resolve("/login?token=" + token.text());
  }

  /** Schedules jobs; call {@link #nudge()} afterwards so that they start at once. */
  public JobRequestScheduler scheduler() {
    return scheduler;
  }

  /** Enqueues a job and starts it as soon as a worker is free. */
  @Override
  public UUID submit(PythonJobRequest request) {
    if (failure.isDone()) {
      throw new IllegalStateException(
          "the server is about to stop: " + failure.join().getMessage());
    }
    UUID id = scheduler.enqueue(request).asUUID();
    nudge();
    return id;
  }

  /** Deletes a job; one that is running on this server is stopped. */
  public void delete(UUID id) {
    scheduler.delete(id, "Job deleted");
    stopRunning(id);
  }

  @Override
  public Optional<Job> find(UUID id) {
    try {
      return Optional.of(storage.getJobById(id));
    } catch (JobNotFoundException e) {
      return Optional.empty();
    }
  }

  @Override
  public Optional<PythonResult> result(UUID id) {
    return results.find(id);
  }

  /**
   * Asks for work now instead of at the next poll. JobRunr does so whenever a worker becomes idle,
   * so a worker that was never occupied says it is.
   */
  @Override
  public void nudge() {
    if (jobs.isRunning()) {
      JobSteward steward = jobs.getJobSteward();
      steward.notifyThreadOccupied();
      steward.notifyThreadIdle();
    }
  }

  /** JobRunr itself notices a deleted job at its next heartbeat, up to a poll interval later. */
  @Override
  public void stopRunning(UUID id) {
    JobSteward steward = jobs.getJobSteward();
    for (Job job : steward.getJobsInProgress()) {
      if (job.getId().equals(id)) {
        Thread worker = steward.getThreadProcessingJob(job);
        if (worker != null) {
          job.delete("Job deleted while it was running");
          worker.interrupt();
        }
      }
    }
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    housekeeping.shutdownNow();
    urlFile.delete();
    http.close();
    jobs.stop();
    storage.close();
    dataSource.close();
  }

  private void deleteOldResults() {
    try {
      int deleted = results.deleteOlderThan(Instant.now().minus(KEEP_RESULTS));
      if (deleted > 0) {
        LOG.info("deleted {} results older than {} days", deleted, KEEP_RESULTS.toDays());
      }
    } catch (RuntimeException e) {
      LOG.warn("old results stay for now: {}", e.getMessage());
    }
  }
}
