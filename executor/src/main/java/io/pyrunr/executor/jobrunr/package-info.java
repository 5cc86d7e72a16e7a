/**
 * Python jobs for JobRunr, which is an optional dependency: {@link
 * io.pyrunr.executor.jobrunr.PythonJobs} wires an executor into a JobRunr configuration, {@link
 * io.pyrunr.executor.jobrunr.PythonJobRequest} is what is enqueued.
 */
@NullMarked
package io.pyrunr.executor.jobrunr;

import org.jspecify.annotations.NullMarked;
