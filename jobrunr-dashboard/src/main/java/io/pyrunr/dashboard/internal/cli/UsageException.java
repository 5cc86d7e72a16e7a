package io.pyrunr.dashboard.internal.cli;

/** The command cannot be carried out as it was written; ends with exit code 2. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
