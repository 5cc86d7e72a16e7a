package io.pyrunr.executor.jobrunr;

/** A result could not be written or read. Running the job again may help. */
public final class ResultStoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ResultStoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
