package io.pyrunr.executor.internal.interpreter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.pyrunr.executor.PythonError;
import io.pyrunr.executor.internal.python.BadReply;
import java.io.IOException;

/**
 * What {@code _pyrunr.bootstrap.run} answered.
 *
 * @param valueJson the value, or null
 * @param error the error, or null
 * @param timeOver whether the job noticed that its time was over
 */
public record JobReply(String valueJson, PythonError error, boolean timeOver) {
  /** Three texts of 64 K characters, and what says that they were cut, as JSON at its longest. */
  private static final int LONGEST_REPORT = 3 * 12 * (65 << 10);

  /**
   * A parser of the syntax alone, without limits but one: of nesting, which our own code keeps far
   * below and which ends other people's parsers. The result's size is limited.
   */
  private static final class Syntax {
    static final JsonFactory FACTORY =
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();
  }

  /** Apart, because Jackson takes a while to load and only errors need it. */
  private static final class Json {
    static final ObjectMapper MAPPER = new ObjectMapper();
  }

  /**
   * Bytes that a reply has at most.
   *
   * @param limit of the value's size in bytes
   */
  static int longest(int limit) {
    return (int) Math.min(Integer.MAX_VALUE, 1L + Math.max(limit, LONGEST_REPORT));
  }

  /**
   * Reads a reply: a letter and JSON text.
   *
   * @param limit of the value's size in bytes
   * @throws BadReply if it is anything else, as it can be after a job that tampered with the
   *     bootstrap
   */
  static JobReply decode(byte[] reply, int limit) {
    if (reply.length < 2) {
      throw new BadReply("the interpreter gave no reply");
    }
    if (reply[0] == 'V' && reply.length - 1 > limit) {
      throw new BadReply("the interpreter's result is larger than " + limit + " bytes");
    }
    if (reply[0] != 'V' && reply.length > LONGEST_REPORT) {
      throw new BadReply("the interpreter's error report is larger than " + LONGEST_REPORT);
    }
    String json = new String(reply, 1, reply.length - 1, UTF_8);
    return switch (reply[0]) {
      case 'V' -> new JobReply(checked(json), null, false);
      case 'E' -> new JobReply(null, error(json), false);
      case 'L' -> new JobReply(null, error(json).withKind(PythonError.Kind.LIMIT), false);
      case 'T' -> new JobReply(null, error(json), true);
      default -> throw new BadReply("the interpreter gave a reply of no known kind");
    };
  }

  /**
   * The value as it goes to files, databases and answers: one JSON value on one line, whatever the
   * job has put in place of the code that writes it.
   */
  private static String checked(String json) {
    if (json.chars().anyMatch(c -> c < ' ')) {
      throw new BadReply("the interpreter's result is not a line of JSON");
    }
    try (JsonParser parser = Syntax.FACTORY.createParser(json)) {
      if (parser.nextToken() == null) {
        throw new BadReply("the interpreter's result is empty");
      }
      parser.skipChildren();
      if (parser.nextToken() != null) {
        throw new BadReply("the interpreter's result is more than one JSON value");
      }
    } catch (IOException e) {
      throw new BadReply("the interpreter's result is not JSON");
    }
    return json;
  }

  private static PythonError error(String json) {
    try {
      String[] texts = Json.MAPPER.readValue(json, String[].class);
      return PythonError.of(
          requireNonNull(texts[0]), requireNonNull(texts[1]), requireNonNull(texts[2]));
    } catch (IOException | ArrayIndexOutOfBoundsException | NullPointerException e) {
      throw new BadReply("the interpreter's error report is not readable");
    }
  }
}
