/**
 * Python jobs for JobRunr: enqueue a {@link io.pyrunr.executor.jobrunr.PythonJobRequest}, register
 * a {@link io.pyrunr.executor.jobrunr.PythonJobRequestHandler} with the job server, read the value
 * from a {@link io.pyrunr.executor.jobrunr.ResultStore}.
 */
package io.pyrunr.executor.jobrunr;
