package io.pyrunr.executor.jobrunr;

import static java.util.Objects.requireNonNull;

import io.pyrunr.executor.Limits;
import io.pyrunr.executor.PythonJob;
import java.time.Duration;
import java.util.List;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jspecify.annotations.Nullable;

/**
 * A Python job as JobRunr stores it. Immutable.
 *
 * <p>Parameters are JSON <em>text</em>, never a {@code Map} or {@code Object}: JobRunr reads its
 * requests back with Jackson's default typing, so an {@code "@class"} entry in a user's map would
 * choose which Java class to instantiate. Every component is a final JDK type for the same reason.
 *
 * <p>Make one with {@link #of} and the {@code with} methods, which check what they are given. The
 * constructor is JobRunr's, to read rows back: it checks nothing, since one row that cannot be read
 * stops JobRunr for good; what is wrong with such a row fails the job when it is run.
 *
 * @param name shown in the dashboard; null stands for the first line of the code
 * @param code Python source; the value of its last expression is the job's result
 * @param paramsJson JSON text that the code sees, parsed, as {@code params}
 * @param wallTimeMillis from start to soft stop, in milliseconds, positive; null stands for the
 *     executor's limit
 * @param memoryBytes linear memory of the interpreter, positive; null likewise
 * @param requires packages the job sees, separated by line breaks; null for all. Text, since a list
 *     would be read back with the class name that stands beside it
 */
public record PythonJobRequest(
    @Nullable String name,
    String code,
    String paramsJson,
    @Nullable Long wallTimeMillis,
    @Nullable Long memoryBytes,
    @Nullable String requires)
    implements JobRequest {

  /**
   * Characters of all texts together: 4 Mi. JobRunr writes the whole job anew whenever its state
   * changes; and where a text is beyond the 20 million characters that its Jackson reads, it stops
   * working at all, since it never gets past that job.
   */
  public static final int MOST_CHARACTERS = 4 << 20;

  private static final int NAME_LENGTH = 80;

  /** A job without parameters, named after its first line, with the executor's limits. */
  public static PythonJobRequest of(String code) {
    return new PythonJobRequest(null, requireNonNull(code, "code"), "null", null, null, null)
        .checked();
  }

  public PythonJobRequest withName(@Nullable String value) {
    return new PythonJobRequest(value, code, paramsJson, wallTimeMillis, memoryBytes, requires)
        .checked();
  }

  /** The same job with {@code params} set to a value Jackson can write as JSON. */
  public PythonJobRequest withParams(@Nullable Object params) {
    return withParamsJson(PythonJob.of(code).withParams(params).paramsJson());
  }

  public PythonJobRequest withParamsJson(String json) {
    return new PythonJobRequest(
            name, code, requireNonNull(json, "json"), wallTimeMillis, memoryBytes, requires)
        .checked();
  }

  /**
   * The same job stopped after this time; milliseconds count, finer parts are dropped. Null stands
   * for the executor's limit.
   */
  public PythonJobRequest withWallTime(@Nullable Duration value) {
    Long millis = value == null ? null : value.toMillis();
    return new PythonJobRequest(name, code, paramsJson, millis, memoryBytes, requires).checked();
  }

  /** The same job with so much memory; null stands for the executor's limit. */
  public PythonJobRequest withMemoryBytes(@Nullable Long value) {
    return new PythonJobRequest(name, code, paramsJson, wallTimeMillis, value, requires).checked();
  }

  /**
   * The same job with some packages of the wheel cache only, see {@link PythonJob#withRequires}.
   *
   * @throws IllegalArgumentException if one has a line break
   */
  public PythonJobRequest withRequires(@Nullable List<String> packages) {
    if (packages != null && packages.stream().anyMatch(each -> each.lines().count() > 1)) {
      throw new IllegalArgumentException("a package that a job requires is one line");
    }
    return new PythonJobRequest(
            name,
            code,
            paramsJson,
            wallTimeMillis,
            memoryBytes,
            packages == null ? null : String.join("\n", packages))
        .checked();
  }

  @Override
  public Class<PythonJobRequestHandler> getJobRequestHandler() {
    return PythonJobRequestHandler.class;
  }

  /** What a person sees in a list of jobs: one line, at most 80 characters. */
  public String displayName() {
    String shown = name == null || name.isBlank() ? firstLine(code == null ? "" : code) : name;
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

  /**
   * The job, with the limits it leaves open.
   *
   * @throws IllegalArgumentException if it is none that can be run
   */
  PythonJob toJob(Limits defaults) {
    long characters = (long) length(code) + length(paramsJson) + length(name) + length(requires);
    if (characters > MOST_CHARACTERS) {
      throw new IllegalArgumentException(
          "code, parameters and name have "
              + characters
              + " characters; a job that is stored has at most "
              + MOST_CHARACTERS);
    }
    if (code == null) {
      throw new IllegalArgumentException("it has no code");
    }
    Limits limits = defaults;
    if (wallTimeMillis != null) {
      limits = limits.withWallTime(Duration.ofMillis(wallTimeMillis));
    }
    if (memoryBytes != null) {
      limits = limits.withMemoryBytes(memoryBytes);
    }
    return PythonJob.of(code)
        .withParamsJson(paramsJson == null ? "null" : paramsJson)
        .withLimits(limits)
        .withRequires(
            requires == null ? null : requires.lines().filter(line -> !line.isBlank()).toList());
  }

  /** This request, if it can be run; so that a bad one fails where it is made. */
  private PythonJobRequest checked() {
    var unused = toJob(Limits.DEFAULT);
    return this;
  }

  private static int length(@Nullable String text) {
    return text == null ? 0 : text.length();
  }

  private static String firstLine(String code) {
    return code.lines().map(String::strip).filter(line -> !line.isEmpty()).findFirst().orElse("");
  }
}
