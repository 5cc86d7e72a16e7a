package io.pyrunr.executor.internal.emscripten;

/** The program called {@code abort} or failed an assertion. */
public final class ProcessAbort extends HostFailure {
  private static final long serialVersionUID = 1L;

  ProcessAbort(String message) {
    super(message);
  }
}
