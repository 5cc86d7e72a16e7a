package io.pyrunr.executor.jobrunr;

import static java.util.Objects.requireNonNull;

import io.pyrunr.executor.PythonError;
import io.pyrunr.executor.PythonExecutor;
import io.pyrunr.executor.PythonJob;
import io.pyrunr.executor.PythonResult;
import io.pyrunr.executor.results.ResultStore;
import java.util.UUID;
import org.jobrunr.jobs.context.JobContext;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.server.runner.ThreadLocalJobContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a {@link PythonJobRequest}: output goes to the job's log, progress to its bar, the result to
 * a {@link ResultStore}. Thread-safe; one instance serves a whole job server.
 *
 * <p>An error in the job's own code fails it for good with the Python traceback. Anything else (the
 * executor was closed, the store could not be written) is retried as JobRunr sees fit.
 */
public final class PythonJobRequestHandler implements JobRequestHandler<PythonJobRequest> {
  private static final Logger LOG = LoggerFactory.getLogger(PythonJobRequestHandler.class);
  private static final int SHOWN_VALUE_CHARS = 2_000;

  private final PythonExecutor executor;
  private final ResultStore results;

  public PythonJobRequestHandler(PythonExecutor executor, ResultStore results) {
    this.executor = requireNonNull(executor, "executor");
    this.results = requireNonNull(results, "results");
  }

  /**
   * Runs the job on the calling thread of the job server.
   *
   * @throws InterruptedException if the job was deleted or the server is stopping; the Python job
   *     has then been stopped too
   * @throws PythonJobFailure if the job's code failed or ran out of its limits
   */
  @Override
  public void run(PythonJobRequest request) throws InterruptedException {
    JobContext context = ThreadLocalJobContext.getJobContext();
    UUID id = context.getJobId();
    JobLog log = new JobLog(context);
    PythonJob job;
    try {
      job = request.toJob(executor.limits());
    } catch (IllegalArgumentException e) {
      throw PythonJobFailure.of(e);
    }
    PythonResult result;
    try {
      result = executor.run(job.withListener(log));
      // An interrupt that came too late for the executor must not reach the database driver (H2
      // closes its file on it) nor stay set (JobRunr would think the server is stopping).
      if (Thread.interrupted()) {
        throw new InterruptedException("too late for the executor");
      }
    } catch (InterruptedException e) {
      LOG.info("job {} stopped: it was deleted or the server is stopping", id);
      throw e;
    } finally {
      log.flush();
    }
    results.save(id, result);
    report(context, id, result);
  }

  private static void report(JobContext context, UUID id, PythonResult result) {
    long millis = result.duration().toMillis();
    PythonError error = result.error();
    if (error == null) {
      context.logger().info("Result: " + shortened(result.valueJson()));
      LOG.info("job {} succeeded in {} ms", id, millis);
      return;
    }
    // The message may hold the job's data: it belongs to the job's page, not to the server's log.
    LOG.info("job {} {} after {} ms: {}", id, words(result.status()), millis, error.type());
    throw PythonJobFailure.of(error);
  }

  private static String words(PythonResult.Status status) {
    return status == PythonResult.Status.TIMED_OUT ? "timed out" : "failed";
  }

  private static String shortened(String json) {
    return json.length() <= SHOWN_VALUE_CHARS
        ? json
        : json.substring(0, SHOWN_VALUE_CHARS) + "… (" + json.length() + " characters)";
  }
}
