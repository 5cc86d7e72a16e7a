package io.pyrunr.executor.internal.interpreter;

/** What one or more interpreters have done; see {@link io.pyrunr.executor.PythonStatistics}. */
public record InterpreterStatistics(
    long jobs, long restores, long restoredPages, long replacements) {
  public static final InterpreterStatistics NONE = new InterpreterStatistics(0, 0, 0, 0);

  public InterpreterStatistics plus(InterpreterStatistics other) {
    return new InterpreterStatistics(
        jobs + other.jobs,
        restores + other.restores,
        restoredPages + other.restoredPages,
        replacements + other.replacements);
  }
}
