package io.pyrunr.executor.internal.fs;

/**
 * A call failed with an error number. A failed {@code stat} is everyday business while Python looks
 * for a module, so there is one instance per number and none carries a stack trace.
 */
public final class PosixException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final PosixException[] INSTANCES = new PosixException[139];

  static {
    for (int number = 0; number < INSTANCES.length; number++) {
      INSTANCES[number] = new PosixException(number);
    }
  }

  private final int number;

  private PosixException(int number) {
    super("errno " + number, null, false, false);
    this.number = number;
  }

  /** The exception for one of {@link Errno}'s numbers. */
  public static PosixException of(int errno) {
    return INSTANCES[errno];
  }

  /** One of {@link Errno}'s numbers. */
  public int errno() {
    return number;
  }
}
