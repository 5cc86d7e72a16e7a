package io.pyrunr.executor.internal.wheels.resolve;

/** A job asks for packages that are not there. The message is one line. */
public final class RequirementException extends Exception {
  private static final long serialVersionUID = 1;

  public RequirementException(String message) {
    super(message);
  }
}
