package io.pyrunr.executor.jobrunr;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.pyrunr.executor.PythonResult;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/**
 * A result as one line of JSON, the form in which command line, HTTP interface and store share it:
 *
 * <pre>{@code
 * {"id":"a1","status":"SUCCEEDED","value":6,"stdout":"","stderr":"","truncated":false,
 *  "error":null,"durationMs":0.8,"restoreMs":0.2}
 * }</pre>
 */
public final class ResultJson {
  private static final JsonFactory JSON = new JsonFactory();

  private ResultJson() {}

  /**
   * Writes a result on one line, without a line end.
   *
   * @param idJson the job's id as JSON text, or null to leave the field out
   */
  public static String write(String idJson, PythonResult result) {
    var text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      if (idJson != null) {
        json.writeFieldName("id");
        json.writeRawValue(idJson);
      }
      json.writeStringField("status", result.status().name());
      json.writeFieldName("value");
      // Verbatim: a round trip through Java numbers could change what Python computed.
      json.writeRawValue(result.succeeded() ? result.valueJson() : "null");
      json.writeStringField("stdout", wellFormed(result.stdout()));
      json.writeStringField("stderr", wellFormed(result.stderr()));
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

  private static void writeError(JsonGenerator json, PythonResult.PythonError error)
      throws IOException {
    if (error == null) {
      json.writeNull();
      return;
    }
    json.writeStartObject();
    json.writeStringField("type", wellFormed(error.type()));
    json.writeStringField("message", wellFormed(error.message()));
    json.writeStringField("traceback", wellFormed(error.traceback()));
    json.writeEndObject();
  }

  /** Microseconds are kept; finer digits would be noise. */
  private static BigDecimal milliseconds(Duration duration) {
    BigDecimal value = BigDecimal.valueOf(duration.toNanos(), 6).setScale(3, RoundingMode.HALF_UP);
    return value.signum() == 0
        ? BigDecimal.ZERO
        : new BigDecimal(value.stripTrailingZeros().toPlainString());
  }

  /** Python strings may hold half a surrogate pair; UTF-8 and databases may not. */
  private static String wellFormed(String text) {
    if (text == null) {
      return null;
    }
    StringBuilder repaired = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (pair) {
        i++;
      } else if (Character.isSurrogate(c)) {
        repaired = repaired == null ? new StringBuilder(text) : repaired;
        repaired.setCharAt(i, '\uFFFD');
      }
    }
    return repaired == null ? text : repaired.toString();
  }
}
