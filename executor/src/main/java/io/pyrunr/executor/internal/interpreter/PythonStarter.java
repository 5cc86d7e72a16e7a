package io.pyrunr.executor.internal.interpreter;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.pyrunr.executor.JobListener;
import io.pyrunr.executor.Limits;
import io.pyrunr.executor.internal.runtime.PythonRuntime;

/**
 * Starts Python and readies it for jobs: our modules on the path, the bootstrap imported and
 * prepared, everything a job needs loaded.
 */
final class PythonStarter {
  /** Offset of the generator's state in CPython's {@code RandomObject}: object header, index. */
  private static final int STATE_OFFSET = 12;

  private static final String SETUP =
      """
      import sys
      sys.path.insert(0, '%s')
      sys.dont_write_bytecode = True
      """
          .formatted(PythonEnvironment.OWN_MODULES);

  private final PythonRuntime runtime;
  private final JobStreams streams;

  PythonStarter(PythonRuntime runtime, JobStreams streams) {
    this.runtime = runtime;
    this.streams = streams;
  }

  /**
   * Starts Python.
   *
   * @throws IllegalStateException with what Python printed, if it cannot start
   */
  BootImage start(PythonEnvironment environment) {
    streams.start(Limits.DEFAULT, JobListener.NONE);
    runtime.start();
    check(runtime.runSimpleString(SETUP) == 0);
    int name = runtime.newString("_pyrunr.bootstrap");
    int bootstrap = check((int) runtime.call("PyImport_ImportModule", name));
    runtime.free(name);
    byte[] modules = String.join(" ", environment.preload()).getBytes(UTF_8);
    PythonBytes bytes = new PythonBytes(runtime);
    int random = check(bytes.call(function(bootstrap, "prepare"), modules));
    int randomObject = Integer.parseInt(new String(bytes.read(random), US_ASCII));
    int run = function(bootstrap, "run");
    streams.end();
    return BootImage.of(runtime, run, randomObject + STATE_OFFSET);
  }

  private int function(int module, String name) {
    int text = runtime.newString(name);
    int function = check((int) runtime.call("PyObject_GetAttrString", module, text));
    runtime.free(text);
    return function;
  }

  private int check(int pointer) {
    check(pointer != 0);
    return pointer;
  }

  private void check(boolean succeeded) {
    if (!succeeded) {
      if (runtime.call("PyErr_Occurred") != 0) {
        runtime.call("PyErr_Print");
      }
      throw new IllegalStateException(
          "Python cannot start; it says: " + streams.stderr.text().strip());
    }
  }
}
