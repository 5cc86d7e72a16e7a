package io.pyrunr.executor.internal.interpreter;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.Limits;
import java.lang.ref.SoftReference;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes interpreters of one kind. The first one starts Python and leaves its boot image behind; all
 * others, in the whole JVM, load that. Thread-safe.
 */
public final class InterpreterFactory {
  /**
   * Stack of an interpreter's thread, in bytes: address space, committed as it is used. CPython's
   * own limits on C recursion assume native frames; as Java frames, interpreted ones above all,
   * they are several times larger.
   */
  private static final long STACK = 1L << 30;

  /** Started environments by their wheels and modules, as long as there is memory for them. */
  private static final Map<List<Object>, SoftReference<Started>> STARTED = new HashMap<>();

  private final Started environment;
  private final Limits limits;
  private final int recycleAfter;

  private InterpreterFactory(Started environment, Limits limits, int recycleAfter) {
    this.environment = environment;
    this.limits = limits;
    this.recycleAfter = recycleAfter;
  }

  /**
   * Prepares interpreters.
   *
   * @param wheelFolders folders whose pure-Python wheels can be imported
   * @param preload modules to import in advance
   * @param imageFolder where boot images are kept from one process to the next, or null
   * @param limits of jobs that have none of their own
   * @param recycleAfter jobs between two restores
   * @throws IllegalArgumentException if a wheel cannot be used
   */
  public static InterpreterFactory of(
      List<Path> wheelFolders,
      List<String> preload,
      Path imageFolder,
      Limits limits,
      int recycleAfter) {
    List<Path> wheels = wheelFolders.isEmpty() ? List.of() : PureWheels.find(wheelFolders);
    return new InterpreterFactory(started(wheels, preload, imageFolder), limits, recycleAfter);
  }

  private static Started started(List<Path> wheels, List<String> preload, Path imageFolder) {
    List<Object> key = List.of(wheels, List.copyOf(preload));
    synchronized (STARTED) {
      SoftReference<Started> reference = STARTED.get(key);
      Started known = reference == null ? null : reference.get();
      if (known == null) {
        known = new Started(new PythonEnvironment(wheels, preload), imageFolder);
        STARTED.put(key, new SoftReference<>(known));
      }
      return known;
    }
  }

  /**
   * Begins to read, on threads of its own, what an interpreter without wheels needs: the code and
   * the image of a started Python. An interpreter that is made meanwhile waits for them.
   */
  public static void loadAhead() {
    Thread code =
        new Thread(() -> PyodideDistribution.bundled().machineFactory(), "pyrunr-load-code");
    code.setDaemon(true);
    code.start();
    // Should there be no image, Python is started here.
    bigStackThread(() -> started(List.of(), List.of(), null).image(), "pyrunr-load-image").start();
  }

  /** A thread with the stack that an interpreter needs. */
  public Thread newThread(Runnable work, String name) {
    return bigStackThread(work, name);
  }

  static Thread bigStackThread(Runnable work, String name) {
    Thread thread = new Thread(null, work, name, STACK);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Makes an interpreter that belongs to the calling thread, which must be one of {@link
   * #newThread}.
   *
   * @throws IllegalStateException if Python cannot start
   */
  public Interpreter start() {
    return new Interpreter(environment, limits, recycleAfter);
  }

  /** An environment and, once Python has started in it, its image. */
  static final class Started {
    final PythonEnvironment environment;
    private final Path imageFolder;
    private BootImage image;

    Started(PythonEnvironment environment, Path imageFolder) {
      this.environment = environment;
      this.imageFolder = imageFolder;
    }

    /** The image. Whoever asks first starts Python; the others wait. */
    synchronized BootImage image() {
      if (image == null) {
        image = new BootImageStore(environment).image(imageFolder);
      }
      return image;
    }
  }
}
