package io.pyrunr.executor;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * How a job ended. Immutable.
 *
 * @param status succeeded, failed or timed out
 * @param valueJson the last expression's value as JSON text; {@code null} as JSON unless succeeded
 * @param stdout captured text
 * @param stderr captured text
 * @param truncated whether stdout or stderr hit the output limit
 * @param error what went wrong, or null if the job succeeded
 * @param duration the job's own run, restore excluded
 * @param restore making the interpreter pristine again afterwards
 */
public record PythonResult(
    Status status,
    String valueJson,
    String stdout,
    String stderr,
    boolean truncated,
    PythonError error,
    Duration duration,
    Duration restore) {

  /**
   * Apart, because Jackson takes a while to load. Takes integers of any length: Python's have no
   * bound, and the result's size is limited.
   */
  private static final class Json {
    static final ObjectMapper MAPPER =
        new ObjectMapper(
            JsonFactory.builder()
                .streamReadConstraints(
                    StreamReadConstraints.builder()
                        .maxNumberLength(Integer.MAX_VALUE)
                        .maxStringLength(Integer.MAX_VALUE)
                        .build())
                .build());
  }

  /** The three ways a job can end. */
  public enum Status {
    SUCCEEDED,
    FAILED,
    TIMED_OUT
  }

  /**
   * A Python exception. Whatever the job made of it, its texts are short enough to be kept and
   * shown; what is left out is marked with an ellipsis.
   *
   * @param type name of the exception's class, such as {@code ValueError}; one line of at most 201
   *     characters, fit for a log
   * @param message its text, may be empty
   * @param traceback as Python prints it, frames of the job only
   */
  public record PythonError(String type, String message, String traceback) {
    private static final int LONGEST_TYPE = 200;

    /** A line break in a class's name would begin a line of the log. */
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}]");

    /** Python's side cuts at half of this already, if the job has left it as it was. */
    private static final int LONGEST_TEXT = 128 << 10;

    public PythonError {
      type = CONTROL.matcher(cut(type, LONGEST_TYPE)).replaceAll("?");
      message = cut(message, LONGEST_TEXT);
      traceback = cut(traceback, LONGEST_TEXT);
    }

    private static String cut(String text, int longest) {
      return text.length() <= longest ? text : text.substring(0, longest) + "…";
    }
  }

  /** The value as Java: null, Boolean, Integer, Long, BigInteger, Double, String, List or Map. */
  public Object value() {
    return valueAs(Object.class);
  }

  /**
   * The value as a Java type that Jackson can read.
   *
   * @throws IllegalStateException if the value does not fit the type
   */
  public <T> T valueAs(Class<T> type) {
    try {
      return Json.MAPPER.readValue(valueJson, type);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(
          "the job's value does not fit " + type.getSimpleName() + ": " + e.getOriginalMessage(),
          e);
    }
  }

  public boolean succeeded() {
    return status == Status.SUCCEEDED;
  }
}
