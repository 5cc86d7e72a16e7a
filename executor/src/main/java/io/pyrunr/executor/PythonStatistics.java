package io.pyrunr.executor;

/** What an executor's interpreters have done so far; each figure may be a job old. Immutable. */
public final class PythonStatistics {
  private final long jobs;
  private final long restores;
  private final long restoredPages;
  private final long replacements;

  PythonStatistics(long jobs, long restores, long restoredPages, long replacements) {
    this.jobs = jobs;
    this.restores = restores;
    this.restoredPages = restoredPages;
    this.replacements = replacements;
  }

  /** Jobs that ended, however they did. */
  public long jobs() {
    return jobs;
  }

  /** Restores of an interpreter to its boot image. */
  public long restores() {
    return restores;
  }

  /** Pages of 4 KiB that these restores have copied. */
  public long restoredPages() {
    return restoredPages;
  }

  /** Interpreters that were made anew since a restore could not be trusted. */
  public long replacements() {
    return replacements;
  }
}
