package io.pyrunr.executor;

/**
 * Hears from a running job. Called on the worker's thread between two steps of the interpreter, so
 * an implementation must return quickly; what it throws is logged and dropped.
 */
public interface JobListener {

  /** Hears nothing. */
  JobListener NONE = new JobListener() {};

  /**
   * The job called {@code pyrunr.progress(fraction)}.
   *
   * @param fraction from 0.0 to 1.0
   */
  default void progress(double fraction) {}

  /**
   * The job wrote to stdout or stderr, within its output limit.
   *
   * @param error whether it was stderr
   * @param text what was written, whole UTF-8 characters only
   */
  default void output(boolean error, String text) {}
}
