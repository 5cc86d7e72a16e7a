package io.pyrunr.executor;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.pyrunr.executor.PythonError.Kind;
import io.pyrunr.executor.PythonResult.Status;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** {@link PythonResult} as one line of JSON. */
final class ResultJson {
  /**
   * Takes integers and texts of any length: Python's have no bound, and the result's size is
   * limited.
   */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .build();

  /** Apart, because data binding takes a while to load and not every process needs it. */
  static final class Mapper {
    static final ObjectMapper VALUES = new ObjectMapper(JSON);

    private Mapper() {}
  }

  private ResultJson() {}

  static String write(PythonResult result) {
    var text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("status", result.status().name());
      json.writeFieldName("value");
      // Verbatim: a round trip through Java numbers could change what Python computed.
      json.writeRawValue(result.valueJson());
      write(json, "stdout", result.stdout());
      write(json, "stderr", result.stderr());
      json.writeBooleanField("truncated", result.truncated());
      json.writeFieldName("error");
      writeError(json, result.error());
      json.writeNumberField("durationMs", milliseconds(result.duration()));
      json.writeNumberField("restoreMs", milliseconds(result.restore()));
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void writeError(JsonGenerator json, PythonError error) throws IOException {
    if (error == null) {
      json.writeNull();
      return;
    }
    json.writeStartObject();
    write(json, "type", error.type());
    write(json, "message", error.message());
    write(json, "traceback", error.traceback());
    json.writeStringField("kind", error.kind().name());
    json.writeEndObject();
  }

  static PythonResult read(String text) {
    Map<String, String> fields = new HashMap<>();
    try (JsonParser json = JSON.createParser(text)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException("a result is a JSON object");
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        json.nextToken();
        fields.put(name, verbatim(json, text));
      }
      Status status = Status.valueOf(string(fields, "status"));
      PythonError error = error(fields.get("error"), status);
      return (error == null
              ? PythonResult.succeeded(fields.getOrDefault("value", "null"))
              : PythonResult.failed(status, error))
          .output(
              string(fields, "stdout"),
              string(fields, "stderr"),
              Boolean.parseBoolean(fields.get("truncated")))
          .took(duration(fields.get("durationMs")), duration(fields.get("restoreMs")))
          .build();
    } catch (IOException e) {
      throw new IllegalArgumentException("the text is no result of a job: it is not JSON", e);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("the text is no result of a job: " + e.getMessage(), e);
    }
  }

  /** The JSON of the value that the parser is at, as it stands in the text. */
  private static String verbatim(JsonParser json, String text) throws IOException {
    int start = (int) json.currentTokenLocation().getCharOffset();
    if (json.currentToken().isStructStart()) {
      json.skipChildren();
    } else {
      json.finishToken();
    }
    int end = (int) json.currentLocation().getCharOffset();
    return text.substring(start, end).strip();
  }

  private static PythonError error(String json, Status status) throws IOException {
    if (json == null || json.equals("null")) {
      if (status != Status.SUCCEEDED) {
        throw new IllegalArgumentException("it has no error, but its status is " + status);
      }
      return null;
    }
    Map<?, ?> fields = Mapper.VALUES.readValue(json, Map.class);
    Object kind = fields.get("kind"); // results of before 1.0 have none
    return PythonError.of(
        kind == null ? earlier(status) : Kind.valueOf(kind.toString()),
        String.valueOf(fields.get("type")),
        String.valueOf(fields.get("message")),
        String.valueOf(fields.get("traceback")));
  }

  private static Kind earlier(Status status) {
    return status == Status.TIMED_OUT ? Kind.LIMIT : Kind.CODE;
  }

  private static String string(Map<String, String> fields, String name) throws IOException {
    String json = fields.get(name);
    return json == null ? "" : Mapper.VALUES.readValue(json, String.class);
  }

  private static Duration duration(String milliseconds) {
    return milliseconds == null
        ? Duration.ZERO
        : Duration.ofNanos(new BigDecimal(milliseconds).movePointRight(6).longValue());
  }

  /** Microseconds are kept; finer digits would be noise. */
  private static BigDecimal milliseconds(Duration duration) {
    BigDecimal value = BigDecimal.valueOf(duration.toNanos(), 6).setScale(3, RoundingMode.HALF_UP);
    return value.signum() == 0
        ? BigDecimal.ZERO
        : new BigDecimal(value.stripTrailingZeros().toPlainString());
  }

  private static void write(JsonGenerator json, String name, String text) throws IOException {
    json.writeFieldName(name);
    json.writeRawValue('"' + wellFormed(JsonStringEncoder.getInstance().quoteAsString(text)) + '"');
  }

  /**
   * Python strings may hold half a surrogate pair; UTF-8 and databases may not. Escaped it stays
   * what it is, as in values.
   */
  private static String wellFormed(char[] quoted) {
    StringBuilder text = new StringBuilder(quoted.length);
    for (int i = 0; i < quoted.length; i++) {
      char c = quoted[i];
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < quoted.length
              && Character.isLowSurrogate(quoted[i + 1]);
      if (pair) {
        text.append(c).append(quoted[++i]);
      } else if (Character.isSurrogate(c)) {
        text.append(String.format("\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }
}
