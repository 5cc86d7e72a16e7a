package io.pyrunr.executor.jobrunr;

import static java.util.Objects.requireNonNull;

import io.pyrunr.executor.Limits;
import io.pyrunr.executor.PythonJob;
import java.time.Duration;
import java.util.List;
import org.jobrunr.jobs.lambdas.JobRequest;

/**
 * A Python job as JobRunr stores it. Immutable.
 *
 * <p>Parameters are JSON <em>text</em>, never a {@code Map} or {@code Object}: JobRunr reads its
 * requests back with Jackson's default typing, so an {@code "@class"} entry in a user's map would
 * choose which Java class to instantiate. Every component is a final JDK type for the same reason.
 *
 * @param name shown in the dashboard; null stands for the first line of the code
 * @param code Python source; the value of its last expression is the job's result
 * @param paramsJson JSON text that the code sees, parsed, as {@code params}
 * @param wallTimeMillis from start to soft stop, in milliseconds, positive
 * @param memoryBytes linear memory of the interpreter, positive
 * @param requires packages the job sees, separated by line breaks; null for all. Text, since a list
 *     would be read back with the class name that stands beside it
 */
public record PythonJobRequest(
    String name,
    String code,
    String paramsJson,
    long wallTimeMillis,
    long memoryBytes,
    String requires)
    implements JobRequest {

  /**
   * Characters of all texts together: 4 Mi. JobRunr writes the whole job anew whenever its state
   * changes; and where a text is beyond the 20 million characters that its Jackson reads, it stops
   * working at all, since it never gets past that job.
   */
  public static final int MOST_CHARACTERS = 4 << 20;

  private static final int NAME_LENGTH = 80;

  /**
   * Checks what {@link Limits} and {@link PythonJob} would refuse, so that a bad request fails
   * where it is made.
   *
   * @throws IllegalArgumentException naming the figure that is not positive, or saying what is too
   *     much of the requirements or of all texts
   */
  public PythonJobRequest {
    requireNonNull(code, "code");
    requireNonNull(paramsJson, "paramsJson");
    var unused = job(code, paramsJson, wallTimeMillis, memoryBytes, requires);
    long characters = (long) code.length() + paramsJson.length() + length(name) + length(requires);
    if (characters > MOST_CHARACTERS) {
      throw new IllegalArgumentException(
          "code, parameters and name have "
              + characters
              + " characters; a job that is stored has at most "
              + MOST_CHARACTERS);
    }
  }

  /** A job without parameters, named after its first line, with the default limits. */
  public static PythonJobRequest of(String code) {
    return new PythonJobRequest(
        null,
        code,
        "null",
        Limits.DEFAULT.wallTime().toMillis(),
        Limits.DEFAULT.memoryBytes(),
        null);
  }

  public PythonJobRequest withName(String value) {
    return new PythonJobRequest(value, code, paramsJson, wallTimeMillis, memoryBytes, requires);
  }

  /** The same job with {@code params} set to a value Jackson can write as JSON. */
  public PythonJobRequest withParams(Object params) {
    return withParamsJson(PythonJob.of(code).withParams(params).paramsJson());
  }

  public PythonJobRequest withParamsJson(String json) {
    return new PythonJobRequest(name, code, json, wallTimeMillis, memoryBytes, requires);
  }

  /** The same job stopped after this time; milliseconds count, finer parts are dropped. */
  public PythonJobRequest withWallTime(Duration value) {
    return new PythonJobRequest(name, code, paramsJson, value.toMillis(), memoryBytes, requires);
  }

  public PythonJobRequest withMemoryBytes(long value) {
    return new PythonJobRequest(name, code, paramsJson, wallTimeMillis, value, requires);
  }

  /**
   * The same job with some packages of the wheel cache only, see {@link PythonJob#withRequires}.
   *
   * @throws IllegalArgumentException if one has a line break
   */
  public PythonJobRequest withRequires(List<String> packages) {
    if (packages != null && packages.stream().anyMatch(each -> each.lines().count() > 1)) {
      throw new IllegalArgumentException("a package that a job requires is one line");
    }
    return new PythonJobRequest(
        name,
        code,
        paramsJson,
        wallTimeMillis,
        memoryBytes,
        packages == null ? null : String.join("\n", packages));
  }

  @Override
  public Class<PythonJobRequestHandler> getJobRequestHandler() {
    return PythonJobRequestHandler.class;
  }

  /** What a person sees in a list of jobs: one line, at most 80 characters. */
  public String displayName() {
    String shown = name == null || name.isBlank() ? firstLine(code) : name;
    // JobRunr would expand %X{..} to entries of the logging context.
    shown = shown.replaceAll("\\p{Cntrl}+", " ").replace("%X{", "%X {").strip();
    if (shown.isEmpty()) {
      return "(empty)";
    }
    if (shown.codePointCount(0, shown.length()) <= NAME_LENGTH) {
      return shown;
    }
    return shown.substring(0, shown.offsetByCodePoints(0, NAME_LENGTH - 1)) + "…";
  }

  /** The job's name. JobRunr puts this where it has no other name, so code and params stay out. */
  @Override
  public String toString() {
    return displayName();
  }

  PythonJob toJob() {
    return job(code, paramsJson, wallTimeMillis, memoryBytes, requires);
  }

  private static PythonJob job(
      String code, String paramsJson, long wallTimeMillis, long memoryBytes, String requires) {
    return PythonJob.of(code)
        .withParamsJson(paramsJson)
        .withLimits(
            Limits.DEFAULT
                .withWallTime(Duration.ofMillis(wallTimeMillis))
                .withMemoryBytes(memoryBytes))
        .withRequires(
            requires == null ? null : requires.lines().filter(line -> !line.isBlank()).toList());
  }

  private static int length(String text) {
    return text == null ? 0 : text.length();
  }

  private static String firstLine(String code) {
    return code.lines().map(String::strip).filter(line -> !line.isEmpty()).findFirst().orElse("");
  }
}
