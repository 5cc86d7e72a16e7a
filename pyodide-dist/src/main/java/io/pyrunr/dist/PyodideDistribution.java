package io.pyrunr.dist;

import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Machine;
import com.dylibso.chicory.wasm.WasmModule;
import io.pyrunr.wasm.SideModuleCompiler;
import io.pyrunr.wasm.types.Signature;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The Pyodide that was compiled into this jar: its wasm module as JVM classes, the Python standard
 * library, the package lock file and the memory layout its data was linked for.
 *
 * <p>Instances are immutable and thread-safe.
 */
public final class PyodideDistribution {
  /** Binary name of the class that runs the compiled module. */
  public static final String MACHINE_CLASS = "io.pyrunr.dist.generated.PyodideMachine";

  private static final String MODULE_FILE = "pyodide.meta.wasm";
  private static final String LAYOUT = "layout.json";
  private static final String STANDARD_LIBRARY = "python_stdlib.zip";
  private static final String LOCK_FILE = "pyodide-lock.json";

  private final Layout layout;

  // To read and to load these takes time in which others can get ready, and not all need them.
  private final Once<WasmModule> module = new Once<>(() -> ModuleShape.read(resource(MODULE_FILE)));
  private final Once<Function<Instance, Machine>> machines =
      new Once<>(() -> machineFactoryOf(MACHINE_CLASS));
  private final Once<SideModuleCompiler> sideModuleCompiler =
      new Once<>(
          () -> new SideModuleCompiler(module(), MACHINE_CLASS, layout().functionsPerClass()));

  private final Once<List<Signature>> functionTypes = new Once<>(() -> Signature.allOf(module()));

  private PyodideDistribution(Layout layout) {
    this.layout = layout;
  }

  /**
   * Returns the distribution found on the class path.
   *
   * @throws IllegalStateException if pyodide-dist was built without its generated part
   */
  public static PyodideDistribution bundled() {
    return Holder.BUNDLED;
  }

  /** The module's types, imports, exports, table and data; its function bodies are empty. */
  public WasmModule module() {
    return module.get();
  }

  /** Where code and data were linked to, and which versions they are. */
  public Layout layout() {
    return layout;
  }

  /** Makes the compiled code of {@link #module()} available to an instance of it. */
  public Function<Instance, Machine> machineFactory() {
    return machines.get();
  }

  /** The function types of {@link #module()}, read when asked for; always the same supplier. */
  public Supplier<List<Signature>> functionTypes() {
    return functionTypes;
  }

  /** Compiles side modules that are loaded into {@link #module()}. */
  public SideModuleCompiler sideModuleCompiler() {
    return sideModuleCompiler.get();
  }

  /** {@code python_stdlib.zip} as upstream ships it. */
  public byte[] standardLibrary() {
    return resource(STANDARD_LIBRARY);
  }

  /** {@code pyodide-lock.json} as upstream ships it. */
  public byte[] lockFile() {
    return resource(LOCK_FILE);
  }

  private static final class Holder {
    static final PyodideDistribution BUNDLED = load();
  }

  /** A value that is made when it is first asked for, by one thread while others wait. */
  private static final class Once<T> implements Supplier<T> {
    private final Supplier<T> maker;
    private volatile T value;

    Once(Supplier<T> maker) {
      this.maker = maker;
    }

    @Override
    public T get() {
      T made = value;
      if (made == null) {
        synchronized (this) {
          made = value;
          if (made == null) {
            made = maker.get();
            value = made;
          }
        }
      }
      return made;
    }
  }

  private static PyodideDistribution load() {
    try {
      return new PyodideDistribution(Layout.read(resource(LAYOUT)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Function<Instance, Machine> machineFactoryOf(String className) {
    try {
      var constructor = Class.forName(className).getConstructor(Instance.class);
      return instance -> {
        try {
          return (Machine) constructor.newInstance(instance);
        } catch (InstantiationException | IllegalAccessException | InvocationTargetException e) {
          throw new IllegalStateException("cannot create " + className, e);
        }
      };
    } catch (ClassNotFoundException | NoSuchMethodException e) {
      throw new IllegalStateException(
          "pyodide-dist has no compiled module; build it with: mvn -pl pyodide-dist package", e);
    }
  }

  private static byte[] resource(String name) {
    try (InputStream in =
        PyodideDistribution.class.getResourceAsStream("/io/pyrunr/dist/" + name)) {
      if (in == null) {
        throw new IllegalStateException(
            "pyodide-dist has no " + name + "; build it with: mvn -pl pyodide-dist package");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
