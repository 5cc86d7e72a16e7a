package io.pyrunr.executor.internal.image;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.pyrunr.executor.JobListener;
import io.pyrunr.executor.Limits;
import io.pyrunr.executor.internal.device.JobStreams;
import io.pyrunr.executor.internal.image.BootImage.RandomState;
import io.pyrunr.executor.internal.python.PythonBytes;
import io.pyrunr.executor.internal.python.PythonInstance;
import io.pyrunr.wasm.runtime.LinearMemory;
import java.util.List;

/**
 * Starts Python and readies it for jobs: our modules on the path, the bootstrap imported and
 * prepared, everything a job needs loaded.
 */
final class PythonStarter {
  /**
   * Memory beyond what start-up took, in pages of 64 KiB: 4 MiB. Jobs that need no more than that
   * are spared a larger array; every interpreter holds it, needed or not.
   */
  private static final int HEADROOM = 64;

  private static final String SETUP =
      """
      import sys
      sys.path.insert(0, '%s')
      sys.dont_write_bytecode = True
      """
          .formatted(PythonEnvironment.OWN_MODULES);

  private final PythonInstance runtime;
  private final JobStreams streams;

  /** What fails if something does. */
  private String doing = "Python cannot start";

  PythonStarter(PythonInstance runtime, JobStreams streams) {
    this.runtime = runtime;
    this.streams = streams;
  }

  /**
   * Starts Python with what every environment has.
   *
   * @throws IllegalStateException with the exception, if it cannot start
   */
  BootImage start() {
    streams.start(Limits.DEFAULT, JobListener.NONE);
    runtime.start();
    check(runtime.runSimpleString(SETUP) == 0);
    int bootstrap = bootstrap();
    PythonBytes bytes = new PythonBytes(runtime);
    List<RandomState> random = randomStates(bytes, function(bootstrap, "prepare"), new byte[0]);
    int run = function(bootstrap, "run");
    streams.end();
    runtime.memory().grow(HEADROOM);
    return new BootImage(runtime.capture(), run, random);
  }

  /**
   * Imports further modules into the Python of {@code base}.
   *
   * @throws IllegalStateException with the exception, if one cannot be imported
   */
  BootImage extend(BootImage base, List<String> modules) {
    doing = "cannot import what is to be preloaded (" + String.join(", ", modules) + ")";
    streams.start(Limits.DEFAULT, JobListener.NONE);
    runtime.load(base.state());
    PythonBytes bytes = new PythonBytes(runtime);
    byte[] names = String.join(" ", modules).getBytes(UTF_8);
    List<RandomState> random = randomStates(bytes, function(bootstrap(), "preload"), names);
    streams.end();
    if (runtime.memory().pages() * LinearMemory.PAGE_SIZE > base.state().memory().size()) {
      runtime.memory().grow(HEADROOM); // the modules have used up the base image's
    }
    return new BootImage(runtime.capture(), base.run(), random);
  }

  private List<RandomState> randomStates(PythonBytes bytes, int function, byte[] argument) {
    int reply = check(bytes.call(function, argument));
    return RandomState.parse(new String(bytes.read(reply), US_ASCII));
  }

  private int bootstrap() {
    int name = runtime.newString("_pyrunr.bootstrap");
    int bootstrap = check((int) runtime.call("PyImport_ImportModule", name));
    runtime.free(name);
    return bootstrap;
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
      throw new IllegalStateException(doing + ": " + lastLine(streams.stderr.text()));
    }
  }

  /** A traceback ends with the exception; the frames before are ours. */
  private static String lastLine(String text) {
    String whole = text.strip();
    return whole.substring(whole.lastIndexOf('\n') + 1);
  }
}
