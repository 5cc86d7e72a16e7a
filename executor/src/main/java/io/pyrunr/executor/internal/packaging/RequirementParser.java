package io.pyrunr.executor.internal.packaging;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the grammar of PEP 508 by recursive descent. */
final class RequirementParser {
  private static final Pattern IDENTIFIER =
      Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?");
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]*");
  private static final Pattern OPERATOR =
      Pattern.compile("===|==|~=|!=|<=|>=|<|>|in\\b|not\\s+in\\b");
  private static final Pattern URL = Pattern.compile("[^\\s;]\\S*");

  /** Both are far beyond what packages have; markers come from strangers. */
  private static final int LONGEST = 10_000;

  private static final int DEEPEST = 50;

  private final String text;
  private final MarkerEnvironment environment;
  private int at;
  private int depth;

  RequirementParser(String text, MarkerEnvironment environment) {
    this.text = text;
    this.environment = environment;
  }

  Requirement requirement() throws BadPackagingException {
    if (text.length() > LONGEST) {
      throw error("is longer than " + LONGEST + " characters");
    }
    String name = take(IDENTIFIER, "a name");
    Set<String> extras = extras();
    String url = null;
    VersionSpecifiers versions = VersionSpecifiers.ANY;
    if (accept("@")) {
      url = take(URL, "an address");
    } else {
      versions = versions();
    }
    Marker marker = accept(";") ? any() : Marker.always();
    skipBlanks();
    if (at < text.length()) {
      throw error("has something unexpected from character " + (at + 1));
    }
    return new Requirement(
        PackageName.normalize(name), extras, versions, url, marker, text.strip());
  }

  private Set<String> extras() throws BadPackagingException {
    Set<String> extras = new LinkedHashSet<>();
    if (accept("[") && !accept("]")) {
      do {
        extras.add(PackageName.normalize(take(IDENTIFIER, "an extra")));
      } while (accept(","));
      expect("]");
    }
    return Set.copyOf(extras);
  }

  private VersionSpecifiers versions() throws BadPackagingException {
    boolean inParentheses = accept("(");
    int end = text.indexOf(inParentheses ? ')' : ';', at);
    if (end < 0) {
      if (inParentheses) {
        throw error("lacks a ')'");
      }
      end = text.length();
    }
    String conditions = text.substring(at, end);
    at = inParentheses ? end + 1 : end;
    try {
      return VersionSpecifiers.parse(conditions);
    } catch (BadPackagingException e) {
      throw error("cannot be read: " + e.getMessage());
    }
  }

  private Marker any() throws BadPackagingException {
    if (++depth > DEEPEST) {
      throw error("has too many parentheses");
    }
    List<Marker> parts = new ArrayList<>(List.of(all()));
    while (acceptWord("or")) {
      parts.add(all());
    }
    depth--;
    return parts.size() == 1 ? parts.get(0) : new Marker.Any(List.copyOf(parts));
  }

  private Marker all() throws BadPackagingException {
    List<Marker> parts = new ArrayList<>(List.of(comparison()));
    while (acceptWord("and")) {
      parts.add(comparison());
    }
    return parts.size() == 1 ? parts.get(0) : new Marker.All(List.copyOf(parts));
  }

  private Marker comparison() throws BadPackagingException {
    if (accept("(")) {
      Marker inside = any();
      expect(")");
      return inside;
    }
    Marker.Operand left = operand();
    String operator = take(OPERATOR, "a comparison").replaceAll("\\s+", " ");
    return new Marker.Comparison(left, operator, operand());
  }

  private Marker.Operand operand() throws BadPackagingException {
    skipBlanks();
    char quote = at < text.length() ? text.charAt(at) : 0;
    if (quote == '"' || quote == '\'') {
      int end = text.indexOf(quote, at + 1);
      if (end < 0) {
        throw error("has a text without end");
      }
      String value = text.substring(at + 1, end);
      at = end + 1;
      return new Marker.Operand(value, false);
    }
    String variable = take(VARIABLE, "a marker variable");
    if (environment.variable(variable) == null) {
      throw error("asks for " + BadPackagingException.quoted(variable) + ", which markers lack");
    }
    return new Marker.Operand(variable, true);
  }

  private void skipBlanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private boolean accept(String token) {
    skipBlanks();
    if (text.startsWith(token, at)) {
      at += token.length();
      return true;
    }
    return false;
  }

  private boolean acceptWord(String word) {
    skipBlanks();
    int end = at + word.length();
    if (text.startsWith(word, at)
        && (end == text.length() || !Character.isLetterOrDigit(text.charAt(end)))) {
      at = end;
      return true;
    }
    return false;
  }

  private void expect(String token) throws BadPackagingException {
    if (!accept(token)) {
      throw error("lacks a '" + token + "'");
    }
  }

  private String take(Pattern form, String what) throws BadPackagingException {
    skipBlanks();
    Matcher matcher = form.matcher(text).region(at, text.length());
    if (!matcher.lookingAt()) {
      throw error("has no " + what.replaceFirst("^an? ", "") + " at character " + (at + 1));
    }
    at = matcher.end();
    return matcher.group();
  }

  private BadPackagingException error(String what) {
    return new BadPackagingException(
        "requirement " + BadPackagingException.quoted(text) + " " + what);
  }
}
