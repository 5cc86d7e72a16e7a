package io.pyrunr.executor;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a job ended. Immutable.
 *
 * <p>{@link #toJson} and {@link #fromJson} are the form in which the command line, the HTTP
 * interface and {@linkplain io.pyrunr.executor.results.ResultStore stores} share it.
 */
public final class PythonResult {
  private static final String NULL = "null";

  /** The three ways a job can end. */
  public enum Status {
    /** It has a value. */
    SUCCEEDED,
    /** It has an error. */
    FAILED,
    /** It ran longer than it may, and has an error that says so. */
    TIMED_OUT
  }

  private final Status status;
  private final String valueJson;
  private final String stdout;
  private final String stderr;
  private final boolean truncated;
  private final @Nullable PythonError error;
  private final Duration duration;
  private final Duration restore;

  private PythonResult(Builder builder) {
    status = builder.status;
    valueJson = builder.valueJson;
    stdout = builder.stdout;
    stderr = builder.stderr;
    truncated = builder.truncated;
    error = builder.error;
    duration = builder.duration;
    restore = builder.restore;
  }

  /** Makes a result that succeeded, for stores and for tests of code that reads results. */
  public static Builder succeeded(String valueJson) {
    return new Builder(Status.SUCCEEDED, requireNonNull(valueJson, "valueJson"), null);
  }

  /** Makes a result that failed or timed out, likewise. */
  public static Builder failed(Status status, PythonError error) {
    if (status == Status.SUCCEEDED) {
      throw new IllegalArgumentException("a job that succeeded has no error");
    }
    return new Builder(status, NULL, requireNonNull(error, "error"));
  }

  /**
   * Reads what {@link #toJson} has written, by this version or an earlier one. Fields it does not
   * know are passed over, such as a job's id.
   *
   * @throws IllegalArgumentException if the text is something else; the message says what is wrong
   */
  public static PythonResult fromJson(String json) {
    return ResultJson.read(json);
  }

  /**
   * This result as one line of JSON, without a line end:
   *
   * <pre>{@code
   * {"status":"SUCCEEDED","value":6,"stdout":"","stderr":"","truncated":false,
   *  "error":null,"durationMs":0.8,"restoreMs":0.2}
   * }</pre>
   *
   * An error has {@code type}, {@code message}, {@code traceback} and {@code kind}. The value
   * stands there as Python wrote it, digit by digit.
   */
  public String toJson() {
    return ResultJson.write(this);
  }

  /** Succeeded, failed or timed out. */
  public Status status() {
    return status;
  }

  /** Whether there is a value. */
  public boolean succeeded() {
    return status == Status.SUCCEEDED;
  }

  /**
   * The last expression's value as Java: null, Boolean, Integer, Long, BigInteger, Double, String,
   * List or Map; null also for a job that did not succeed.
   */
  public @Nullable Object value() {
    return valueAs(Object.class);
  }

  /**
   * The value as a Java type that Jackson can read.
   *
   * @throws IllegalStateException if the value does not fit the type
   */
  public <T> @Nullable T valueAs(Class<T> type) {
    try {
      return ResultJson.Mapper.VALUES.readValue(valueJson, type);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(
          "the job's value does not fit " + type.getSimpleName() + ": " + e.getOriginalMessage(),
          e);
    }
  }

  /**
   * The value, see {@link #value()}, of a job that must have one.
   *
   * @throws PythonException if the job did not succeed
   */
  public @Nullable Object valueOrThrow() {
    return valueOrThrow(Object.class);
  }

  /**
   * The value as a Java type, see {@link #valueAs}, of a job that must have one.
   *
   * @throws PythonException if the job did not succeed
   * @throws IllegalStateException if the value does not fit the type
   */
  public <T> @Nullable T valueOrThrow(Class<T> type) {
    if (error != null) {
      throw new PythonException(error);
    }
    return valueAs(type);
  }

  /** The value as JSON text, on one line; {@code null} as JSON unless the job succeeded. */
  public String valueJson() {
    return valueJson;
  }

  /** What the job wrote to standard output, within its limit. */
  public String stdout() {
    return stdout;
  }

  /** What the job wrote to standard error, within its limit. */
  public String stderr() {
    return stderr;
  }

  /** Whether one of both hit the limit. */
  public boolean truncated() {
    return truncated;
  }

  /** What went wrong, or null if the job succeeded. */
  public @Nullable PythonError error() {
    return error;
  }

  /** The job's own time, restore excluded. */
  public Duration duration() {
    return duration;
  }

  /** The time it took to make the interpreter pristine again. */
  public Duration restore() {
    return restore;
  }

  /** Status and, if there is one, the error; values and output may be anything. */
  @Override
  public String toString() {
    return error == null ? status.name() : status + " " + error;
  }

  /** Makes a result; what is not set is empty or zero. Not thread-safe. */
  public static final class Builder {
    private final Status status;
    private final String valueJson;
    private final @Nullable PythonError error;
    private String stdout = "";
    private String stderr = "";
    private boolean truncated;
    private Duration duration = Duration.ZERO;
    private Duration restore = Duration.ZERO;

    private Builder(Status status, String valueJson, @Nullable PythonError error) {
      this.status = requireNonNull(status, "status");
      this.valueJson = valueJson;
      this.error = error;
    }

    /** What was written to both streams, and whether some of it was dropped. */
    public Builder output(String out, String err, boolean cut) {
      stdout = requireNonNull(out, "out");
      stderr = requireNonNull(err, "err");
      truncated = cut;
      return this;
    }

    /** The job's own time, and that of the restore after it. */
    public Builder took(Duration job, Duration restoring) {
      duration = requireNonNull(job, "job");
      restore = requireNonNull(restoring, "restoring");
      return this;
    }

    public PythonResult build() {
      return new PythonResult(this);
    }
  }
}
