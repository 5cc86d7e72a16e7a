package io.pyrunr.executor;

/**
 * What an executor's interpreters have done so far.
 *
 * @param jobs that ended, however they did
 * @param restores of an interpreter to its boot image
 * @param restoredPages 4 KiB pages copied by these restores
 * @param replacements of an interpreter whose restore could not be trusted
 */
public record PythonStatistics(long jobs, long restores, long restoredPages, long replacements) {}
