package io.pyrunr.dist.internal;

/** Ends the build with one line: what is wrong and what to do. */
final class BuildFailure extends RuntimeException {
  BuildFailure(String message) {
    super(message);
  }
}
