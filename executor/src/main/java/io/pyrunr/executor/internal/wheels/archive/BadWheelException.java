package io.pyrunr.executor.internal.wheels.archive;

import io.pyrunr.executor.internal.io.FileErrors;
import java.io.IOException;

/** A wheel that is not used. The message is one line: the reason, a semicolon, the way out. */
public final class BadWheelException extends Exception {
  private static final long serialVersionUID = 1;
  private static final String REPLACE = "get it anew from a source you trust";

  BadWheelException(String reason, String wayOut) {
    super(reason + "; " + wayOut);
  }

  /** A reason that already names the way out. */
  BadWheelException(String message) {
    super(message);
  }

  /** The system does not let it be read. */
  static BadWheelException unreadable(IOException e) {
    return new BadWheelException(
        "it cannot be read (" + FileErrors.reason(e) + ")", "check its permissions");
  }

  /** The file is damaged or made to do harm. */
  static BadWheelException untrusted(String reason) {
    return new BadWheelException(reason, REPLACE);
  }
}
