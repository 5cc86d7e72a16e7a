package io.pyrunr.dashboard.internal.job;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Checks JSON without changing it. Values pass through Pyrunr as text, because a round trip through
 * Java numbers would change {@code -0.0}, {@code 1e400} or the digits of a long decimal.
 */
public final class JsonText {
  /** Strict as RFC 8259, and without Jackson's limit of 1,000 digits: Python's ints have none. */
  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private JsonText() {}

  /**
   * Returns the text if it is exactly one JSON value.
   *
   * @param what names the text in the error
   * @throws BadJobException if it is not
   */
  public static String checked(String what, String text) {
    try (JsonParser json = FACTORY.createParser(text)) {
      if (json.nextToken() == null) {
        throw new BadJobException(what + " is empty; write JSON such as {\"xs\":[1,2,3]} or null");
      }
      json.skipChildren();
      if (json.nextToken() != null) {
        throw new BadJobException(what + " holds more than one JSON value");
      }
      return text;
    } catch (JsonProcessingException e) {
      throw new BadJobException(what + " is " + JsonErrors.describe(e));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The current value as it is written in the text that the parser reads. */
  static String current(JsonParser json, String text) throws IOException {
    int start = (int) json.currentTokenLocation().getCharOffset();
    json.skipChildren();
    // Strings are read lazily; only after this is the parser's place behind the value.
    json.finishToken();
    return text.substring(start, (int) json.currentLocation().getCharOffset()).strip();
  }
}
