package io.pyrunr.executor.internal.packaging;

/** A name, version, requirement or metadata file that breaks the packaging standards. */
public final class BadPackagingException extends Exception {
  private static final long serialVersionUID = 1;

  /** {@code message} says in one line what is wrong with which text. */
  public BadPackagingException(String message) {
    // Without a trace: markers that compare text throw it at every turn.
    super(message, null, false, false);
  }

  /** Text of others as it may stand in a message: one line, not too long, no control characters. */
  public static String quoted(String text) {
    String plain = text.replaceAll("\\p{Cntrl}", "\uFFFD");
    return "'" + (plain.length() <= 120 ? plain : plain.substring(0, 119) + "…") + "'";
  }
}
