package io.pyrunr.executor.results;

/** A result could not be written or read. Running the job again may help. */
public final class ResultStoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** An exception with the reason, in one line, and what was caught. */
  public ResultStoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
