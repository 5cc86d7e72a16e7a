package io.pyrunr.executor;

/**
 * What an executor's interpreters have done so far.
 *
 * @param jobs that ended, however they did
 * @param restores of an interpreter to its boot image
 * @param restoredPages 4 KiB pages copied by these restores
 * @param replacements of an interpreter whose restore could not be trusted
 * @param tableEntries in the function tables of all interpreters after their last job; jobs add
 *     some (through ctypes or side modules), restores take them out
 */
public record PythonStatistics(
    long jobs, long restores, long restoredPages, long replacements, long tableEntries) {}
