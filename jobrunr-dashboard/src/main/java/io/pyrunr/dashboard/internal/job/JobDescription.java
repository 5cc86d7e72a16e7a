package io.pyrunr.dashboard.internal.job;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.pyrunr.executor.PythonJob;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * A job as a JSON object, on a line of a jobs file or in an HTTP request. Only {@code code} must be
 * there; others may be {@code null} as well:
 *
 * <pre>{@code
 * {"id":"a1","code":"sum(params['xs'])","params":{"xs":[1,2,3]},"timeoutMs":5000}
 * }</pre>
 *
 * @param idJson the id as JSON text, a string or a number, if given
 * @param name for people, if given
 * @param code Python source
 * @param paramsJson JSON text; {@code null} if there is none
 * @param timeout the job's own time limit, if any
 * @param memoryBytes the job's own memory limit, if any
 * @param requires packages the job sees, if not all
 */
public record JobDescription(
    Optional<String> idJson,
    Optional<String> name,
    String code,
    String paramsJson,
    Optional<Duration> timeout,
    OptionalLong memoryBytes,
    Optional<List<String>> requires) {

  /** Fields of a line in a jobs file. */
  public static final Set<String> LINE_FIELDS =
      Set.of("id", "code", "params", "timeoutMs", "memoryBytes", "requires");

  /** Fields of a request to the server, which gives out ids itself. */
  public static final Set<String> REQUEST_FIELDS =
      Set.of("name", "code", "params", "timeoutMs", "memoryBytes", "requires");

  private static final int LONGEST_FIGURE_BITS = 40;
  private static final long LARGEST_FIGURE = (1L << LONGEST_FIGURE_BITS) - 1;

  /**
   * Reads a job.
   *
   * @param text one JSON object
   * @param allowed fields; any other is an error rather than ignored
   * @throws BadJobException if it is no job
   */
  public static JobDescription parse(String text, Set<String> allowed) {
    var fields = new Fields(text, allowed);
    try {
      fields.readAll();
      return fields.toJob();
    } catch (JsonProcessingException e) {
      throw new BadJobException(JsonErrors.describe(e)).of(fields.idJson);
    } catch (BadJobException e) {
      throw e.of(fields.idJson);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Fields {
    private final String text;
    private final Set<String> allowed;
    private String idJson;
    private String name;
    private String code;
    private String paramsJson = "null";
    private Duration timeout;
    private OptionalLong memoryBytes = OptionalLong.empty();
    private List<String> requires;

    Fields(String text, Set<String> allowed) {
      this.text = text;
      this.allowed = allowed;
    }

    void readAll() throws IOException {
      try (JsonParser json = JsonText.FACTORY.createParser(text)) {
        if (json.nextToken() != JsonToken.START_OBJECT) {
          throw new BadJobException("a job is a JSON object such as {\"code\":\"1 + 1\"}");
        }
        while (json.nextToken() == JsonToken.FIELD_NAME) {
          String field = json.currentName();
          json.nextToken();
          read(json, field);
        }
        if (json.nextToken() != null) {
          throw new BadJobException("there is more after the job's closing brace");
        }
      }
    }

    private void read(JsonParser json, String field) throws IOException {
      if (!allowed.contains(field)) {
        throw new BadJobException(
            "unknown field \""
                + field
                + "\"; a job has "
                + String.join(", ", new TreeSet<>(allowed)));
      }
      if (json.currentToken() == JsonToken.VALUE_NULL && !field.equals("code")) {
        return; // as if it were not there
      }
      switch (field) {
        case "id" -> idJson = id(json);
        case "name" -> name = string(json, field);
        case "code" -> code = string(json, field);
        case "params" -> paramsJson = JsonText.current(json, text);
        case "requires" -> requires = strings(json, field);
        case "timeoutMs" -> timeout = Duration.ofMillis(figure(json, field));
        default -> memoryBytes = OptionalLong.of(figure(json, field));
      }
    }

    JobDescription toJob() {
      if (code == null) {
        throw new BadJobException("the job has no \"code\"");
      }
      return new JobDescription(
          Optional.ofNullable(idJson),
          Optional.ofNullable(name),
          code,
          paramsJson,
          Optional.ofNullable(timeout),
          memoryBytes,
          Optional.ofNullable(requires));
    }

    private String id(JsonParser json) throws IOException {
      JsonToken token = json.currentToken();
      if (token != JsonToken.VALUE_STRING && !token.isNumeric()) {
        throw new BadJobException("\"id\" must be a string or a number");
      }
      return JsonText.current(json, text);
    }

    private static String string(JsonParser json, String field) throws IOException {
      if (json.currentToken() != JsonToken.VALUE_STRING) {
        throw new BadJobException("\"" + field + "\" must be a string");
      }
      return json.getText();
    }

    private static List<String> strings(JsonParser json, String field) throws IOException {
      List<String> strings = new ArrayList<>();
      if (json.currentToken() != JsonToken.START_ARRAY) {
        throw new BadJobException("\"" + field + "\" must be an array of strings");
      }
      while (json.nextToken() != JsonToken.END_ARRAY) {
        if (json.currentToken() != JsonToken.VALUE_STRING || json.getText().lines().count() != 1) {
          throw new BadJobException("\"" + field + "\" must be an array of strings of one line");
        }
        strings.add(json.getText());
      }
      try {
        return PythonJob.of("").withRequires(strings).requires();
      } catch (IllegalArgumentException e) {
        throw new BadJobException("\"" + field + "\": " + e.getMessage());
      }
    }

    private static long figure(JsonParser json, String field) throws IOException {
      if (json.currentToken() != JsonToken.VALUE_NUMBER_INT
          || json.getBigIntegerValue().bitLength() > LONGEST_FIGURE_BITS
          || json.getLongValue() < 1) {
        throw new BadJobException(
            "\"" + field + "\" must be a whole number from 1 to " + LARGEST_FIGURE);
      }
      return json.getLongValue();
    }
  }
}
