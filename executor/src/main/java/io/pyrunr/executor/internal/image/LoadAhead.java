package io.pyrunr.executor.internal.image;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.io.BigStackThread;

/**
 * For our own command line, which has something else to do at first: begins to read, on threads of
 * its own, what an interpreter without wheels needs, the code and the image of a started Python. An
 * interpreter that is made meanwhile waits for them.
 */
public final class LoadAhead {
  private LoadAhead() {}

  /** Returns at once. */
  public static void begin() {
    begin(() -> PyodideDistribution.bundled().machineFactory(), "pyrunr-load-code");
    // Should there be no image, Python is started here.
    begin(() -> PreparedPython.plain(PyodideDistribution.bundled()).image(), "pyrunr-load-image");
  }

  private static void begin(Runnable work, String name) {
    Thread thread = BigStackThread.of(work, name);
    thread.setUncaughtExceptionHandler((t, e) -> {}); // told to whoever needs what failed
    thread.start();
  }
}
