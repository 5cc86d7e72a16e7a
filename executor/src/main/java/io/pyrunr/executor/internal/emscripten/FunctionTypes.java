package io.pyrunr.executor.internal.emscripten;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.wasm.jvm.Signature;
import io.pyrunr.wasm.runtime.Callback;
import io.pyrunr.wasm.runtime.LinearMemory;
import io.pyrunr.wasm.runtime.TableEntry;
import java.util.HashMap;
import java.util.Map;

/**
 * Loads the classes of function types, which all modules of the JVM share: they come from the main
 * module's jar, or are made from their names.
 */
public final class FunctionTypes extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  /** The one loader; side modules' loaders have it as their parent. */
  public static final FunctionTypes SHARED = new FunctionTypes();

  /**
   * So many types of callbacks the JVM keeps classes for, 4 KB each: jobs choose them, and classes
   * stay. Entries of further types cannot be called by compiled code, only by libffi.
   */
  private static final int MOST_CALLBACK_TYPES = 1000;

  /** The JVM's limit is 255 for all parameters, {@code this} and the memory included. */
  private static final int MOST_SLOTS = 253;

  private final Map<Signature, Class<?>> callbacks = new HashMap<>();

  private FunctionTypes() {
    super(PyodideDistribution.class.getClassLoader());
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    if (!Signature.isClassName(name)) {
      throw new ClassNotFoundException(name);
    }
    byte[] file = Signature.ofClassName(name).classFile();
    return defineClass(name, file, 0, file.length);
  }

  /** A table entry of a type that calls the host. */
  static TableEntry entry(Signature type, Callback callback) {
    Class<?> entry = SHARED.callbackClass(type);
    if (entry == null) {
      return new OfNoType(type, callback);
    }
    try {
      return (TableEntry) entry.getConstructor(Callback.class).newInstance(callback);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a generated class lacks its constructor", e);
    }
  }

  private static int slots(Signature type) {
    return type.params().chars().map(letter -> letter == 'j' || letter == 'd' ? 2 : 1).sum();
  }

  private Class<?> callbackClass(Signature type) {
    if (slots(type) > MOST_SLOTS) {
      return null;
    }
    synchronized (callbacks) {
      Class<?> known = callbacks.get(type);
      if (known == null && callbacks.size() < MOST_CALLBACK_TYPES) {
        byte[] file = type.callbackClassFile();
        known = defineClass(type.callbackClassName(), file, 0, file.length);
        callbacks.put(type, known);
      }
      return known;
    }
  }

  /** An entry without a class of its type. */
  private static final class OfNoType extends TableEntry {
    private final Signature type;
    private final Callback callback;

    OfNoType(Signature type, Callback callback) {
      super(null, 0, 0);
      this.type = type;
      this.callback = callback;
    }

    @Override
    public int parameterCount() {
      return type.params().length();
    }

    @Override
    public long[] apply(long[] arguments, LinearMemory memory) {
      long result = callback.call(arguments, memory);
      return type.results().isEmpty() ? nothing() : new long[] {result};
    }
  }
}
