package io.pyrunr.executor;

import static java.util.Objects.requireNonNull;

import java.io.PrintStream;
import java.io.PrintWriter;

/**
 * A job that did not succeed, as a Java exception; thrown by {@link PythonResult#valueOrThrow()}.
 * It prints as the Python traceback, before the Java frames of whoever asked for the value.
 */
public final class PythonException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient PythonError error;

  PythonException(PythonError error) {
    super(error.toString());
    this.error = requireNonNull(error);
  }

  /** What went wrong. */
  public PythonError error() {
    return error;
  }

  /** Who or what ended the job: {@link PythonError#kind()}. */
  public PythonError.Kind kind() {
    return error.kind();
  }

  /** Name of the Python exception's class, such as {@code ValueError}. */
  public String type() {
    return error.type();
  }

  /** The traceback as Python prints it; may be empty. */
  public String traceback() {
    return error.traceback();
  }

  @Override
  public void printStackTrace(PrintStream out) {
    printTraceback(new PrintWriter(out, true));
    super.printStackTrace(out);
  }

  @Override
  public void printStackTrace(PrintWriter out) {
    printTraceback(out);
    super.printStackTrace(out);
  }

  private void printTraceback(PrintWriter out) {
    if (error != null && !error.traceback().isBlank()) {
      out.println(error.traceback().strip());
    }
    out.flush();
  }
}
