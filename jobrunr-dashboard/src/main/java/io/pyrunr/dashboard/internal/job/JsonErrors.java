package io.pyrunr.dashboard.internal.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is wrong with JSON, for whoever wrote it: Jackson's messages are for whoever sets up its
 * parser. One that is not known here is not passed on.
 */
final class JsonErrors {
  private static final Map<Pattern, String> PLAIN = new LinkedHashMap<>();

  static {
    plain(
        "nesting depth \\(\\d+\\) exceeds the maximum allowed \\((\\d+)", "nested deeper than $1");
    plain("Name length .* maximum allowed \\((\\d+)", "a name of more than $1 characters");
    plain("(Duplicate field '.{0,100})", "$1");
    plain(
        "(?:Unrecognized|Non-standard) token '([^']{0,40})",
        "'$1' is no value; text stands in quotes");
    plain("Unrecognized character escape '(.)", "\\\\$1 is no escape");
    plain("CTRL-CHAR, code (\\d+)", "a control character, code $1; write it as an escape");
    plain("Leading zeroes", "a number begins with 0");
    plain("expected a hex-digit", "\\\\u takes four hexadecimal digits");
    plain("character \\('(.)'.* in numeric value", "'$1' has no place in a number");
    plain("character \\('(.)'.*expecting a colon", "'$1' where a colon is expected");
    plain("character \\('(.)'.*expecting comma", "'$1' where a comma is expected");
    plain("character \\('(.)'.*double-quote", "'$1' where a name in double quotes is expected");
    plain("character \\('(.)'", "'$1' where a value is expected");
    plain("close marker '(.)': expected '(.)'", "'$1' where '$2' is expected");
    plain("close marker '(.)'", "'$1' closes nothing");
  }

  private JsonErrors() {}

  private static void plain(String theirs, String ours) {
    PLAIN.put(Pattern.compile(theirs, Pattern.DOTALL), ours);
  }

  /** One line: where it is, and what. */
  static String describe(JsonProcessingException e) {
    String where = e.getLocation() == null ? "" : " (column " + e.getLocation().getColumnNr() + ")";
    return "not valid JSON" + where + ": " + reason(e);
  }

  private static String reason(JsonProcessingException e) {
    if (e instanceof JsonEOFException) {
      return "it ends in the middle of a value";
    }
    for (Map.Entry<Pattern, String> each : PLAIN.entrySet()) {
      Matcher theirs = each.getKey().matcher(e.getOriginalMessage());
      if (theirs.find()) {
        String found = theirs.group();
        return each.getKey()
            .matcher(found)
            .replaceFirst(each.getValue())
            .replaceAll("\\p{Cntrl}", "?");
      }
    }
    return "it cannot be read any further";
  }
}
