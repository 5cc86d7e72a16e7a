package io.pyrunr.dashboard.internal.job;

import java.util.Optional;

/** What was given is no job; the message says in one line why and what to write. */
public final class BadJobException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String idJson;

  public BadJobException(String message) {
    this(message, null);
  }

  private BadJobException(String message, String idJson) {
    super(message);
    this.idJson = idJson;
  }

  BadJobException of(String jobIdJson) {
    return new BadJobException(getMessage(), jobIdJson);
  }

  /** The id as JSON text, if it was read before the error. */
  public Optional<String> idJson() {
    return Optional.ofNullable(idJson);
  }
}
