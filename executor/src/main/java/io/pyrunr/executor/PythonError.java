package io.pyrunr.executor;

import static java.util.Objects.requireNonNull;

import java.util.regex.Pattern;

/**
 * What went wrong in a job. Whatever the job made of it, its texts are short enough to be kept and
 * shown; what is left out is marked with an ellipsis. Immutable.
 */
public final class PythonError {
  private static final int LONGEST_TYPE = 200;

  /** Python's side cuts at half of this already, if the job has left it as it was. */
  private static final int LONGEST_TEXT = 128 << 10;

  /** A line break in a class's name would begin a line of the log. */
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}]");

  /**
   * Who or what ended the job. A job chooses its errors' types and messages; it does not choose
   * this.
   */
  public enum Kind {
    /** The job's own code: an exception it raised, a crash it caused. */
    CODE,

    /**
     * A {@linkplain Limits limit}: its time was over; it got no more memory, or no more space for
     * files, and ended with the error that says so; its result was too large.
     */
    LIMIT,

    /** It was cancelled, or whoever waited for it was interrupted. */
    CANCELLED,

    /**
     * Nothing the job is to blame for alone: the JVM's heap was full, or Pyrunr itself failed. To
     * run it again may help.
     */
    HOST
  }

  private final Kind kind;
  private final String type;
  private final String message;
  private final String traceback;

  private PythonError(Kind kind, String type, String message, String traceback) {
    this.kind = requireNonNull(kind, "kind");
    this.type = CONTROL.matcher(cut(type, LONGEST_TYPE)).replaceAll("?");
    this.message = cut(message, LONGEST_TEXT);
    this.traceback = cut(traceback, LONGEST_TEXT);
  }

  /** An error of the job's own code, see the accessors. */
  public static PythonError of(String type, String message, String traceback) {
    return of(Kind.CODE, type, message, traceback);
  }

  /** An error, see the accessors. */
  public static PythonError of(Kind kind, String type, String message, String traceback) {
    return new PythonError(kind, type, message, traceback);
  }

  private static String cut(String text, int longest) {
    return text.length() <= longest ? text : text.substring(0, longest) + "…";
  }

  /** The same error as one of another kind. */
  public PythonError withKind(Kind value) {
    return value == kind ? this : new PythonError(value, type, message, traceback);
  }

  /** Who or what ended the job. */
  public Kind kind() {
    return kind;
  }

  /**
   * Name of the exception's class, such as {@code ValueError}: one line of at most 201 characters,
   * fit for a log.
   */
  public String type() {
    return type;
  }

  /** The exception's text; may be empty. */
  public String message() {
    return message;
  }

  /** The traceback as Python prints it, frames of the job only; may be empty. */
  public String traceback() {
    return traceback;
  }

  /** {@code ValueError: no}, as Python ends its tracebacks. */
  @Override
  public String toString() {
    String text = message.strip();
    return text.isEmpty() ? type : type + ": " + text;
  }
}
