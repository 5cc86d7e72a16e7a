package io.pyrunr.executor.internal.emscripten;

import io.pyrunr.wasm.runtime.Callback;
import io.pyrunr.wasm.runtime.LinearMemory;
import io.pyrunr.wasm.runtime.TableEntry;
import io.pyrunr.wasm.types.Signature;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

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

  /** The JVM's limit is 255 for all parameters, {@code this} and the memory included. */
  private static final int MOST_SLOTS = 253;

  /** Guards itself. */
  private final Map<Signature, Class<?>> callbacks = new HashMap<>();

  /**
   * The types of all modules, whose code may call functions of them. Jobs make callbacks of any
   * type, and classes stay with the JVM: only callbacks of these get one.
   */
  private final Set<Signature> called = ConcurrentHashMap.newKeySet();

  /** Types of main modules that have not been read yet, and those that have. */
  private final Set<Supplier<? extends Collection<Signature>>> mains =
      ConcurrentHashMap.newKeySet();

  private final Set<Supplier<? extends Collection<Signature>>> read = ConcurrentHashMap.newKeySet();

  private FunctionTypes() {
    super(TableEntry.class.getClassLoader());
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    if (!Signature.isClassName(name)) {
      throw new ClassNotFoundException(name);
    }
    byte[] file = Signature.ofClassName(name).classFile();
    return defineClass(name, file, 0, file.length);
  }

  /** Notes that code of a module may call functions of its types. */
  public void calledBy(Collection<Signature> types) {
    called.addAll(types);
  }

  /**
   * Notes the same of a main module, whose types are read with the first callback: no start needs
   * them.
   *
   * @param types the same object whenever it is the same module
   */
  public void calledByMain(Supplier<? extends Collection<Signature>> types) {
    mains.add(types);
  }

  private boolean isCalled(Signature type) {
    for (Supplier<? extends Collection<Signature>> main : mains) {
      if (mains.remove(main) && read.add(main)) {
        called.addAll(main.get());
      }
    }
    return called.contains(type);
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
      if (known == null && isCalled(type)) {
        byte[] file = type.callbackClassFile();
        known = defineClass(type.callbackClassName(), file, 0, file.length);
        callbacks.put(type, known);
      }
      return known;
    }
  }

  /** An entry without a class of its type, which only libffi can call. */
  private static final class OfNoType extends TableEntry {
    private final Signature type;
    private final Callback callback;

    OfNoType(Signature type, Callback callback) {
      super(null, 0, 0);
      this.type = type;
      this.callback = callback;
    }

    /** A module that is loaded later may call functions of this type. */
    @Override
    public boolean keepable() {
      return false;
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
