/**
 * Python jobs inside the JVM. {@link io.pyrunr.executor.PythonExecutor} runs {@link
 * io.pyrunr.executor.PythonJob}s, each in a pristine interpreter and within {@link
 * io.pyrunr.executor.Limits}, and gives {@link io.pyrunr.executor.PythonResult}s. {@link
 * io.pyrunr.executor.WheelCache} looks after the packages that jobs can import.
 *
 * <p>The code of a job is a stranger's: it reaches neither files nor network nor environment nor
 * classes of the host, and no other job. Values, results and errors are safe to pass between
 * threads.
 */
@NullMarked
package io.pyrunr.executor;

import org.jspecify.annotations.NullMarked;
