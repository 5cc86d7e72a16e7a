package io.pyrunr.executor;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One piece of Python to run in a fresh namespace. Immutable; each {@code with} method gives
 * another job.
 */
public final class PythonJob {
  private static final int MOST_REQUIREMENTS = 100;
  private static final int LONGEST_REQUIREMENT = 200;
  private static final int LONGEST_FILE_NAME = 255;

  private final String code;
  private final String paramsJson;
  private final @Nullable Limits limits;
  private final JobListener listener;
  private final @Nullable List<String> requires;
  private final @Nullable String fileName;

  private PythonJob(
      String code,
      String paramsJson,
      @Nullable Limits limits,
      JobListener listener,
      @Nullable List<String> requires,
      @Nullable String fileName) {
    this.code = requireNonNull(code, "code");
    this.paramsJson = requireNonNull(paramsJson, "paramsJson");
    this.limits = limits;
    this.listener = requireNonNull(listener, "listener");
    this.requires = requires == null ? null : List.copyOf(requires);
    if (this.requires != null) {
      check(this.requires);
    }
    this.fileName = fileName;
    if (fileName != null && (fileName.isEmpty() || fileName.length() > LONGEST_FILE_NAME)) {
      throw new IllegalArgumentException(
          "a file name of " + fileName.length() + " characters; one has 1 to " + LONGEST_FILE_NAME);
    }
  }

  /** They are resolved before the job's time begins to count. */
  private static void check(List<String> requirements) {
    if (requirements.size() > MOST_REQUIREMENTS) {
      throw new IllegalArgumentException(
          requirements.size() + " requirements; a job has at most " + MOST_REQUIREMENTS);
    }
    for (String requirement : requirements) {
      if (requirement.length() > LONGEST_REQUIREMENT) {
        throw new IllegalArgumentException(
            "a requirement of "
                + requirement.length()
                + " characters; one has at most "
                + LONGEST_REQUIREMENT);
      }
    }
  }

  /**
   * A job without parameters ({@code params} is None), with the executor's limits.
   *
   * @param code Python source; the value of its last expression is the job's result, unless it ends
   *     in a semicolon; top-level {@code await} is allowed
   */
  public static PythonJob of(String code) {
    return new PythonJob(code, "null", null, JobListener.NONE, null, null);
  }

  /**
   * The same job with {@code params} set to a value that is written as JSON: what Jackson can
   * write, and dates and times of {@code java.time} as ISO 8601 texts. Bytes become base64.
   *
   * @throws IllegalArgumentException if it cannot be written
   */
  public PythonJob withParams(@Nullable Object params) {
    try {
      return withParamsJson(ParamsJson.MAPPER.writeValueAsString(params));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "params cannot be written as JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** The same job with {@code params} given as JSON text; the job fails if it is not JSON. */
  public PythonJob withParamsJson(String json) {
    return new PythonJob(code, json, limits, listener, requires, fileName);
  }

  /** The same job with limits of its own; null stands for the executor's. */
  public PythonJob withLimits(@Nullable Limits value) {
    return new PythonJob(code, paramsJson, value, listener, requires, fileName);
  }

  /** The same job with somebody who hears of its progress and output while it runs. */
  public PythonJob withListener(JobListener value) {
    return new PythonJob(code, paramsJson, limits, value, requires, fileName);
  }

  /**
   * The same job with some packages of the wheel cache only, such as {@code pandas>=2}, and what
   * these need: others do not exist for it, and another version than usual can be asked for. It
   * fails with a {@code RequirementError} if one is not there. Null stands for all packages.
   *
   * @throws IllegalArgumentException if there are more than 100, or one has more than 200
   *     characters
   */
  public PythonJob withRequires(@Nullable List<String> packages) {
    return new PythonJob(code, paramsJson, limits, listener, packages, fileName);
  }

  /**
   * The same job with its code from a file: {@code __file__}, {@code sys.argv[0]} and tracebacks
   * name it. The job cannot read it. Null stands for code that is from no file, which they call
   * {@code <job>}.
   *
   * @throws IllegalArgumentException if the name is empty or has more than 255 characters
   */
  public PythonJob withFileName(@Nullable String name) {
    return new PythonJob(code, paramsJson, limits, listener, requires, name);
  }

  /** Python source. */
  public String code() {
    return code;
  }

  /** JSON text that the code sees, parsed, as {@code params}. */
  public String paramsJson() {
    return paramsJson;
  }

  /** What the job may use, or null for the executor's limits. */
  public @Nullable Limits limits() {
    return limits;
  }

  /** Who hears of progress and output. */
  public JobListener listener() {
    return listener;
  }

  /** The packages the job sees, or null for all there are. */
  public @Nullable List<String> requires() {
    return requires;
  }

  /** The name of the file that the code is from, or null. */
  public @Nullable String fileName() {
    return fileName;
  }
}
