package io.pyrunr.executor.jobrunr;

import static java.util.Objects.requireNonNull;

import io.pyrunr.executor.PythonExecutor;
import io.pyrunr.executor.results.ResultStore;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.configuration.JobRunrConfiguration;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.utils.mapper.jackson.JacksonJsonMapper;

/**
 * Lets JobRunr run Python jobs on an executor:
 *
 * <pre>{@code
 * var jobs = PythonJobs.on(python, results);
 * var scheduler =
 *     jobs.configure(JobRunr.configure().useStorageProvider(storage))
 *         .initialize()
 *         .getJobRequestScheduler();
 * scheduler.enqueue(PythonJobRequest.of("1 + 1"));
 * }</pre>
 *
 * <p>Immutable, hence thread-safe, but for {@link #close}, which is to be called once.
 */
public final class PythonJobs implements AutoCloseable {
  private final PythonExecutor executor;
  private final PythonJobRequestHandler handler;
  private final JobActivator others;

  private PythonJobs(
      PythonExecutor executor, PythonJobRequestHandler handler, JobActivator others) {
    this.executor = executor;
    this.handler = handler;
    this.others = others;
  }

  /**
   * Jobs that run on an executor and leave their results in a store ({@link ResultStore#NONE} keeps
   * none).
   */
  public static PythonJobs on(PythonExecutor executor, ResultStore results) {
    return new PythonJobs(executor, new PythonJobRequestHandler(executor, results), new NoOthers());
  }

  /** The same, for a JobRunr that has other handlers too, which {@code others} activates. */
  public PythonJobs besides(JobActivator others) {
    return new PythonJobs(executor, handler, requireNonNull(others, "others"));
  }

  /**
   * Adds to a configuration that has its storage provider what Python jobs need: a JSON mapper, the
   * handler, their names, and a background job server with as many platform threads as the executor
   * has interpreters.
   */
  public JobRunrConfiguration configure(JobRunrConfiguration jobRunr) {
    return configure(
        jobRunr, BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration());
  }

  /** The same with settings of your own for the background job server, its workers excepted. */
  public JobRunrConfiguration configure(
      JobRunrConfiguration jobRunr, BackgroundJobServerConfiguration server) {
    return jobRunr
        .useJsonMapper(new JacksonJsonMapper())
        .useJobActivator(activator())
        .withJobFilter(new PythonJobNaming())
        .useBackgroundJobServer(withWorkers(server));
  }

  /**
   * A background job server's settings with the workers that the executor asks for. JobRunr's
   * default on JDK 21 and later, 16 virtual threads per core, would claim jobs that no interpreter
   * is free for.
   */
  public BackgroundJobServerConfiguration withWorkers(BackgroundJobServerConfiguration server) {
    return server.andBackgroundJobServerWorkerPolicy(new PlatformWorkers(executor.workers()));
  }

  /** Gives JobRunr the handler of Python jobs, and the other handlers it asks for. */
  public JobActivator activator() {
    return new JobActivator() {
      @Override
      public <T> T activateJob(Class<T> type) {
        return type.isInstance(handler) ? type.cast(handler) : others.activateJob(type);
      }
    };
  }

  /** Stops JobRunr, whose running jobs may end, and then the executor. */
  @Override
  public void close() {
    JobRunr.destroy();
    executor.close();
  }

  /** JobRunr makes handlers of which it is given none by their constructor without arguments. */
  private static final class NoOthers implements JobActivator {
    @Override
    public <T> T activateJob(Class<T> type) {
      return null;
    }
  }
}
