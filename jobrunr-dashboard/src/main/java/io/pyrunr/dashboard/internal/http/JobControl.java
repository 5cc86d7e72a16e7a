package io.pyrunr.dashboard.internal.http;

import io.pyrunr.executor.PythonResult;
import io.pyrunr.executor.jobrunr.PythonJobRequest;
import java.util.Optional;
import java.util.UUID;
import org.jobrunr.jobs.Job;

/** What the HTTP interface asks of the job server. Thread-safe. */
public interface JobControl {

  /** Enqueues a job and starts it as soon as a worker is free. */
  UUID submit(PythonJobRequest request);

  /** The job as JobRunr knows it. */
  Optional<Job> find(UUID id);

  /** The job's result as JSON, once it has one. */
  Optional<PythonResult> result(UUID id);

  /** Asks for work now instead of at the next poll. */
  void nudge();

  /** Stops a job that has been deleted, if it is running on this server. */
  void stopRunning(UUID id);
}
