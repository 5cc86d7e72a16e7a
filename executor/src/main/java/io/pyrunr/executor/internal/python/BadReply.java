package io.pyrunr.executor.internal.python;

/** The job damaged the bootstrap so far that it does not answer properly. */
public final class BadReply extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BadReply(String message) {
    super(message);
  }
}
