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
   * The job wrote to standard output, within its output limit.
   *
   * @param text what was written, whole UTF-8 characters only
   */
  default void stdout(String text) {}

  /** The job wrote to standard error, likewise. */
  default void stderr(String text) {}
}
