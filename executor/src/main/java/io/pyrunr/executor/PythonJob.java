package io.pyrunr.executor;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;

/**
 * One piece of Python to run in a fresh namespace. Immutable.
 *
 * @param code Python source; the value of its last expression is the job's result, unless it ends
 *     in a semicolon; top-level {@code await} is allowed
 * @param paramsJson JSON text that the code sees, parsed, as {@code params}
 * @param limits what the job may use, or null for the executor's
 * @param listener told of progress and output while the job runs
 * @param requires the packages of the wheel cache that the job sees, such as {@code pandas>=2},
 *     with all they need; null for all there are
 */
public record PythonJob(
    String code, String paramsJson, Limits limits, JobListener listener, List<String> requires) {

  private static final int MOST_REQUIREMENTS = 100;
  private static final int LONGEST_REQUIREMENT = 200;

  /** Apart, because Jackson takes a while to load and jobs with JSON at hand do not need it. */
  private static final class Json {
    static final ObjectMapper MAPPER = new ObjectMapper();
  }

  public PythonJob {
    requireNonNull(code, "code");
    requireNonNull(paramsJson, "paramsJson");
    requireNonNull(listener, "listener");
    requires = requires == null ? null : List.copyOf(requires);
    if (requires != null) {
      check(requires);
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

  /** A job without parameters ({@code params} is None), with the executor's limits. */
  public static PythonJob of(String code) {
    return new PythonJob(code, "null", null, JobListener.NONE, null);
  }

  /**
   * The same job with {@code params} set to a value Jackson can write as JSON.
   *
   * @throws IllegalArgumentException if Jackson cannot
   */
  public PythonJob withParams(Object params) {
    try {
      return withParamsJson(Json.MAPPER.writeValueAsString(params));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "params cannot be written as JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** The same job with {@code params} given as JSON text; the job fails if it is not JSON. */
  public PythonJob withParamsJson(String json) {
    return new PythonJob(code, json, limits, listener, requires);
  }

  public PythonJob withLimits(Limits value) {
    return new PythonJob(code, paramsJson, value, listener, requires);
  }

  public PythonJob withListener(JobListener value) {
    return new PythonJob(code, paramsJson, limits, value, requires);
  }

  /**
   * The same job with some packages of the wheel cache only, and what these need: others do not
   * exist for it, and another version than usual can be asked for. It fails with a {@code
   * RequirementError} if one is not there. Null stands for all packages.
   */
  public PythonJob withRequires(List<String> packages) {
    return new PythonJob(code, paramsJson, limits, listener, packages);
  }
}
