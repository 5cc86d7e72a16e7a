package io.pyrunr.executor.internal.emscripten;

/**
 * The interpreter cannot go on: thrown by a host function through the wasm code that called it,
 * whose own handlers do not see it. The instance must not be used afterwards.
 */
public abstract class HostFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  HostFailure(String message) {
    super(message);
  }
}
