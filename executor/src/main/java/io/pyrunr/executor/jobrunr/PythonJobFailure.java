package io.pyrunr.executor.jobrunr;

import io.pyrunr.executor.PythonError;
import java.io.PrintStream;
import java.io.PrintWriter;
import org.jobrunr.JobRunrException;

/**
 * The code of a Python job failed, so running it again would fail again: JobRunr does not retry it.
 *
 * <p>It prints as the Python traceback and nothing else. The Java frames between JobRunr and the
 * interpreter are the same for every job and tell its author nothing.
 */
public final class PythonJobFailure extends JobRunrException {
  private static final long serialVersionUID = 1L;

  private final String traceback;

  /** Used by JobRunr to rebuild a stored failure, whose traceback it keeps elsewhere. */
  public PythonJobFailure(String message) {
    this(message, message);
  }

  private PythonJobFailure(String message, String traceback) {
    super(message, true);
    this.traceback = traceback;
  }

  static PythonJobFailure of(PythonError error) {
    String message = error.toString();
    String traceback = error.traceback();
    return new PythonJobFailure(message, traceback.isBlank() ? message : traceback.strip());
  }

  /** The job was never begun: what is stored of it cannot be run. */
  static PythonJobFailure of(IllegalArgumentException badRequest) {
    return new PythonJobFailure("the stored job cannot be run: " + badRequest.getMessage());
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }

  @Override
  public void printStackTrace(PrintStream out) {
    out.println(traceback);
  }

  @Override
  public void printStackTrace(PrintWriter out) {
    out.println(traceback);
  }

  @Override
  public String toString() {
    return getMessage();
  }
}
