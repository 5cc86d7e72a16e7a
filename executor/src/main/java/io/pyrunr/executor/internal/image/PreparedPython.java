package io.pyrunr.executor.internal.image;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.wheels.WheelSet;
import io.pyrunr.executor.internal.wheels.archive.BytecodeCompiler;
import io.pyrunr.executor.internal.wheels.archive.WheelPlatform;
import java.lang.ref.SoftReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * An environment and, once Python has started in it, its image: what an interpreter is made of.
 * Both are made by whoever asks first, while the others wait. Thread-safe.
 */
public final class PreparedPython {
  /** Those of this JVM by their wheels and modules, as long as there is memory for them. */
  private static final Map<List<Object>, SoftReference<PreparedPython>> SHARED = new HashMap<>();

  private final Supplier<PythonEnvironment> maker;
  private PythonEnvironment environment;
  private BootImage image;

  private PreparedPython(Supplier<PythonEnvironment> maker) {
    this.maker = maker;
  }

  /**
   * The one of this JVM; nothing is read or made yet.
   *
   * @param distribution whose Python it is
   * @param wheels that can be imported
   * @param preload modules to import in advance
   * @param compilers of what the wheels hold; not asked if there are none
   */
  public static PreparedPython of(
      PyodideDistribution distribution,
      WheelSet wheels,
      List<String> preload,
      Supplier<? extends BytecodeCompiler> compilers) {
    List<Object> key =
        List.of(
            distribution,
            wheels.fingerprint(),
            wheels.refused(), // the same wheels beside others: what is said of those differs
            wheels.cache(),
            List.copyOf(preload));
    synchronized (SHARED) {
      SoftReference<PreparedPython> reference = SHARED.get(key);
      PreparedPython known = reference == null ? null : reference.get();
      if (known == null) {
        known =
            new PreparedPython(
                () -> new PythonEnvironment(distribution, wheels, preload, compilers));
        SHARED.put(key, new SoftReference<>(known));
      }
      return known;
    }
  }

  /** One of the distribution alone, which has nothing to compile. */
  public static PreparedPython plain(PyodideDistribution distribution) {
    WheelSet none = WheelSet.none(WheelPlatform.of(distribution));
    return of(distribution, none, List.of(), () -> sources -> Map.of());
  }

  /** The environment; its wheels are compiled by then. */
  public synchronized PythonEnvironment environment() {
    if (environment == null) {
      environment = maker.get();
    }
    return environment;
  }

  /**
   * The image.
   *
   * @throws IllegalStateException if Python cannot start
   */
  public synchronized BootImage image() {
    if (image == null) {
      image = new BootImageStore(environment()).image();
    }
    return image;
  }
}
