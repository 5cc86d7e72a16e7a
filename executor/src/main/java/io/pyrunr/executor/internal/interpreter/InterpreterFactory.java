package io.pyrunr.executor.internal.interpreter;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.wheels.WheelSet;
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

  private final List<String> preload;
  private final Path imageFolder;
  private final int recycleAfter;
  private volatile Started environment;

  private InterpreterFactory(
      WheelSet wheels, List<String> preload, Path imageFolder, int recycleAfter) {
    this.preload = List.copyOf(preload);
    this.imageFolder = imageFolder;
    environment = started(wheels, this.preload, imageFolder);
    this.recycleAfter = recycleAfter;
  }

  /**
   * Prepares interpreters.
   *
   * @param wheels that can be imported
   * @param preload modules to import in advance
   * @param imageFolder where boot images are kept from one process to the next, or null
   * @param recycleAfter jobs between two restores
   */
  public static InterpreterFactory of(
      WheelSet wheels, List<String> preload, Path imageFolder, int recycleAfter) {
    return new InterpreterFactory(wheels, preload, imageFolder, recycleAfter);
  }

  private static Started started(WheelSet wheels, List<String> preload, Path imageFolder) {
    List<Object> key = List.of(wheels.fingerprint(), List.copyOf(preload));
    synchronized (STARTED) {
      SoftReference<Started> reference = STARTED.get(key);
      Started known = reference == null ? null : reference.get();
      if (known == null) {
        known = new Started(wheels, preload, imageFolder);
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
    loadAhead(() -> PyodideDistribution.bundled().machineFactory(), "pyrunr-load-code");
    // Should there be no image, Python is started here.
    loadAhead(() -> started(WheelSet.none(), List.of(), null).image(), "pyrunr-load-image");
  }

  private static void loadAhead(Runnable work, String name) {
    Thread thread = bigStackThread(work, name);
    thread.setUncaughtExceptionHandler((t, e) -> {}); // told to whoever needs what failed
    thread.start();
  }

  /**
   * Makes the interpreters that start from now on ones with other wheels. Returns when their image
   * is there; until then they start as before.
   *
   * @throws IllegalStateException if Python cannot start with them; nothing has changed then
   */
  public void switchTo(WheelSet wheels) throws InterruptedException {
    Started next = started(wheels, preload, imageFolder);
    Throwable[] failure = new Throwable[1];
    Thread thread = newThread(next::image, "pyrunr-image");
    thread.setUncaughtExceptionHandler((t, e) -> failure[0] = e);
    thread.start();
    thread.join();
    if (failure[0] != null) {
      throw new IllegalStateException(failure[0].getMessage(), failure[0]);
    }
    environment = next;
  }

  /** Whether an interpreter is such as {@link #start} would make it now. */
  public boolean isCurrent(Interpreter interpreter) {
    return interpreter.isOf(environment);
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
    return new Interpreter(environment, recycleAfter);
  }

  /** An environment and, once Python has started in it, its image. */
  static final class Started {
    private final WheelSet wheels;
    private final List<String> preload;
    private final Path imageFolder;
    private PythonEnvironment environment;
    private BootImage image;

    Started(WheelSet wheels, List<String> preload, Path imageFolder) {
      this.wheels = wheels;
      this.preload = preload;
      this.imageFolder = imageFolder;
    }

    /** The environment. Whoever asks first compiles its wheels; the others wait. */
    synchronized PythonEnvironment environment() {
      if (environment == null) {
        environment = new PythonEnvironment(wheels, preload);
      }
      return environment;
    }

    /** The image. Whoever asks first starts Python; the others wait. */
    synchronized BootImage image() {
      if (image == null) {
        image = new BootImageStore(environment()).image(imageFolder);
      }
      return image;
    }
  }
}
