package io.pyrunr.executor.results;

import io.pyrunr.executor.PythonResult;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Keeps the results of Python jobs by job id. JobRunr itself has no place for them: it clears a
 * job's metadata as soon as the job succeeds. Implementations are thread-safe, and report what the
 * place they keep results in cannot do as a {@link ResultStoreException}.
 */
public interface ResultStore {

  /** Keeps nothing: results are seen in the job's log only. */
  ResultStore NONE =
      new ResultStore() {
        @Override
        public void save(UUID jobId, PythonResult result) {}

        @Override
        public Optional<PythonResult> find(UUID jobId) {
          return Optional.empty();
        }

        @Override
        public int deleteOlderThan(Instant instant) {
          return 0;
        }
      };

  /**
   * Keeps a result, in place of an earlier one of the same job.
   *
   * @throws ResultStoreException if it could not be written; JobRunr then runs the job again
   */
  void save(UUID jobId, PythonResult result);

  /**
   * The result, or empty if the job has not ended or its result has been deleted.
   *
   * @throws ResultStoreException if the store cannot be read
   */
  Optional<PythonResult> find(UUID jobId);

  /**
   * Deletes results saved before an instant.
   *
   * @return how many were deleted
   * @throws ResultStoreException if the store cannot be written
   */
  int deleteOlderThan(Instant instant);
}
