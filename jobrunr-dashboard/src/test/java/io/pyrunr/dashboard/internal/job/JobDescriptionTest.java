package io.pyrunr.dashboard.internal.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobDescriptionTest {

  @Test
  void readsAWholeLine() {
    JobDescription job =
        parse("{\"id\":\"a1\",\"code\":\"1 + 1\",\"params\":{\"xs\":[1,2]},\"timeoutMs\":5000}");
    assertEquals(Optional.of("\"a1\""), job.idJson());
    assertEquals("1 + 1", job.code());
    assertEquals("{\"xs\":[1,2]}", job.paramsJson());
    assertEquals(Optional.of(Duration.ofSeconds(5)), job.timeout());
  }

  @Test
  void onlyCodeMustBeThere() {
    JobDescription job = parse("{\"code\":\"\"}");
    assertEquals(Optional.empty(), job.idJson());
    assertEquals("null", job.paramsJson());
    assertEquals(Optional.empty(), job.timeout());
    assertEquals(Optional.empty(), job.requires());
  }

  @Test
  void whatAJobRequires() {
    assertEquals(
        Optional.of(List.of("numpy>=2", "é")),
        parse("{\"code\":\"1\",\"requires\":[\"numpy>=2\",\"é\"]}").requires());
    assertEquals(Optional.of(List.of()), parse("{\"code\":\"1\",\"requires\":[]}").requires());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-0.0",
        "1e400",
        "0.1000000000000000055511151231257827",
        "123456789012345678901234567890",
        "\"a\\u0000\\ud800 \\\" } , é\"",
        "true",
        "null",
        "[]",
        "{ \"a\" : [ 1 , {} ] }",
        "{\"@class\":\"java.lang.Object\"}"
      })
  void paramsArriveAsTheyWereWritten(String params) {
    assertEquals(params, parse("{\"params\": " + params + " ,\"code\":\"1\"}").paramsJson());
    assertEquals(params, parse("{\"code\":\"1\",\"params\":" + params + "}").paramsJson());
    assertEquals(params, JsonText.checked("--params", params));
  }

  @Test
  void integersHaveNoLargestSize() {
    String digits = "7".repeat(100_000);
    assertEquals(digits, parse("{\"code\":\"1\",\"params\":" + digits + "}").paramsJson());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nonsense|not valid JSON (column 1)",
        "{\"code\":\"1\"} x|not valid JSON",
        "{\"code\":\"1\"} {}|more after the job's closing brace",
        "[1]|a job is a JSON object",
        "{\"id\":\"a\"}|the job has no \"code\"",
        "{\"code\":null}|\"code\" must be a string",
        "{\"code\":\"1\",\"id\":[1]}|\"id\" must be a string or a number",
        "{\"code\":\"1\",\"timeoutMs\":0}|\"timeoutMs\" must be a whole number from 1 to 1099511627775",
        "{\"code\":\"1\",\"timeoutMs\":1.5}|\"timeoutMs\" must be a whole number from 1 to 1099511627775",
        "{\"code\":\"1\",\"timeoutMs\":99999999999999999999}|\"timeoutMs\" must be a whole number",
        "{\"code\":\"1\",\"timeout\":5}|unknown field \"timeout\"; a job has code, id, memoryBytes, params, requires, timeoutMs",
        "{\"code\":\"1\",\"requires\":\"numpy\"}|\"requires\" must be an array of strings",
        "{\"code\":\"1\",\"requires\":[1]}|\"requires\" must be an array of strings of one line",
        "{\"code\":\"1\",\"requires\":[\"a\\nb\"]}|\"requires\" must be an array of strings of one line",
        "{\"code\":\"1\",\"code\":\"2\"}|Duplicate field 'code'",
        "{\"code\":\"1\",\"params\":NaN}|not valid JSON",
        "{\"code\":\"1\",\"params\":}|not valid JSON",
        "{\"code\":\"1\"|not valid JSON"
      })
  void saysWhatIsWrong(String line, String reason) {
    checkReason(line, reason);
  }

  @Test
  void requirementsHaveLimits() {
    String many = "\"six\",".repeat(100) + "\"six\"";
    checkReason("{\"code\":\"1\",\"requires\":[" + many + "]}", "at most 100");
    String wide = "x".repeat(201);
    checkReason("{\"code\":\"1\",\"requires\":[\"" + wide + "\"]}", "at most 200");
  }

  private static void checkReason(String line, String reason) {
    BadJobException e = assertThrows(BadJobException.class, () -> parse(line));
    assertTrue(e.getMessage().contains(reason), e.getMessage());
    assertEquals(1, e.getMessage().lines().count(), e.getMessage());
  }

  /** Serializers write null for what is not set. */
  @Test
  void nullIsAsGoodAsNothing() {
    assertEquals(
        parse("{\"code\":\"1\"}"),
        parse(
            "{\"id\":null,\"code\":\"1\",\"params\":null,\"timeoutMs\":null,\"memoryBytes\":null,"
                + "\"requires\":null}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"code\":\"1\",\"params\":NaN}",
        "{\"code\":\"1\",\"params\":-Infinity}",
        "{\"code\":\"1\",\"params\":{\"a\":[1,2}}",
        "{\"code\":\"1\",\"params\":[{\"a\":1]}",
        "{\"code\":\"1\",\"params\":'x'}",
        "{\"code\":\"1\",\"params\":01}",
        "{\"code\":\"1\",\"params\":[1,]}",
        "{\"code\":\"1\",\"params\":[1,,2]}",
        "{\"code\":\"a\tb\"}",
        "{\"code\":\"\\q\"}",
        "{\"code\":\"1\"",
        "{code:1}",
        "/* x */"
      })
  void messagesAreNotForTheParsersProgrammer(String line) {
    BadJobException e = assertThrows(BadJobException.class, () -> parse(line));
    for (String word : List.of("enable", "Feature", "Source", "JsonParser")) {
      assertFalse(e.getMessage().contains(word), e.getMessage());
    }
  }

  @Test
  void anErrorKeepsTheIdThatWasRead() {
    BadJobException e =
        assertThrows(BadJobException.class, () -> parse("{\"id\":7,\"code\":\"1\",\"x\":1}"));
    assertEquals(Optional.of("7"), e.idJson());
  }

  private static JobDescription parse(String line) {
    return JobDescription.parse(line, JobDescription.LINE_FIELDS);
  }
}
