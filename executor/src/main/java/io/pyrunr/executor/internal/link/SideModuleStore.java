package io.pyrunr.executor.internal.link;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Machine;
import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.emscripten.FunctionTypes;
import io.pyrunr.executor.internal.fs.BaseLayer;
import io.pyrunr.executor.internal.io.CacheHome;
import io.pyrunr.executor.internal.io.Digests;
import io.pyrunr.executor.internal.io.FileErrors;
import io.pyrunr.wasm.SideModuleCompiler;
import io.pyrunr.wasm.format.WasmFormatException;
import io.pyrunr.wasm.types.Signature;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Function;
import org.slf4j.LoggerFactory;

/**
 * The side modules of this JVM, each compiled once: from {@code .so} bytes to classes, which are
 * kept in the cache under the SHA-256 of what they were made from. Thread-safe.
 */
public final class SideModuleStore {
  /** With this begin the names of all classes of a module. */
  static final String MACHINE = "io.pyrunr.side.Module";

  /** Stack for the compiler: some functions nest blocks by the thousand. */
  private static final long STACK = 256L << 20;

  /** By cache, since what one has need not be in another, and by key. */
  private static final Map<List<Object>, SoftReference<SideModule>> LOADED = new HashMap<>();

  private final PyodideDistribution distribution;
  private final CacheHome cache;
  private final Map<BaseLayer.Content, SideModule> known =
      Collections.synchronizedMap(new WeakHashMap<>());

  /**
   * Opens a store.
   *
   * @param distribution whose main module they are loaded into
   * @param cache where their classes are kept
   */
  public SideModuleStore(PyodideDistribution distribution, CacheHome cache) {
    this.distribution = distribution;
    this.cache = cache;
  }

  /**
   * The module whose file has this content, compiled now if it never was.
   *
   * @throws WasmFormatException if it cannot be used; the message says why
   */
  public SideModule of(BaseLayer.Content content) {
    SideModule module = known.get(content);
    if (module == null) {
      module = shared(content);
      known.put(content, module);
    }
    return module;
  }

  /** Whether the module whose file has this content is on disk, compiled. */
  public boolean has(BaseLayer.Content content) {
    Path file = file(key(content.sha256()));
    return file != null && Files.exists(file);
  }

  /**
   * Compiles a module unless that was done before.
   *
   * @return bytes that its classes take on disk; 0 if they cannot be kept
   * @throws WasmFormatException if it cannot be used; the message says why
   */
  public long compiledBytes(BaseLayer.Content content) {
    if (!has(content)) {
      SideModule unused = of(content);
    }
    Path file = file(key(content.sha256()));
    try {
      return file == null ? 0 : Files.size(file);
    } catch (IOException e) {
      return 0; // it could not be kept
    }
  }

  private Path file(String key) {
    return cache.file(CacheHome.Kind.CLASSES, key);
  }

  /** The one of this JVM, whichever interpreter asks. */
  private SideModule shared(BaseLayer.Content content) {
    String key = key(content.sha256());
    List<Object> id = List.of(cache, key);
    synchronized (lock(key)) {
      SoftReference<SideModule> reference;
      synchronized (LOADED) {
        reference = LOADED.get(id);
      }
      SideModule module = reference == null ? null : reference.get();
      if (module == null) {
        module = load(content, key);
        synchronized (LOADED) {
          LOADED.put(id, new SoftReference<>(module));
        }
      }
      return module;
    }
  }

  /** Modules are compiled side by side, but no module twice at a time. */
  private static Object lock(String key) {
    return (SideModuleStore.class.getName() + key).intern();
  }

  /** Everything the classes are made from: the file, the main module, the tool chain. */
  private String key(String sha256) {
    return Digests.sha256((distribution.layout().buildKey() + sha256).getBytes(UTF_8));
  }

  private SideModule load(BaseLayer.Content content, String key) {
    Path file = file(key);
    if (file != null) {
      try {
        CompiledModuleFile stored = CompiledModuleFile.read(file);
        if (stored != null) {
          return module(stored.module(), stored);
        }
      } catch (IOException e) {
        warn("compiled module {} is unreadable and is made anew: {}", file, FileErrors.reason(e));
      }
    }
    SideModuleCompiler.Compiled compiled = compile(content.bytes());
    if (file != null) {
      try {
        CompiledModuleFile.write(file, compiled);
      } catch (IOException e) {
        cache.notKept(file, e);
      }
    }
    return module(compiled.module(), name -> compiled.classes().get(name));
  }

  private SideModuleCompiler.Compiled compile(byte[] wasm) {
    SideModuleCompiler.Compiled[] compiled = new SideModuleCompiler.Compiled[1];
    Throwable[] failure = new Throwable[1];
    Runnable work = () -> compiled[0] = distribution.sideModuleCompiler().compile(wasm, MACHINE);
    Thread thread = new Thread(null, work, "side-module-compiler", STACK);
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler((t, e) -> failure[0] = e);
    thread.start();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true; // the result is of use to others even if the one who asked must stop
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (failure[0] != null) {
      throw refused(failure[0]);
    }
    return compiled[0];
  }

  /** Without the words of compiler and JVM, which say nothing to who has a wheel. */
  private static WasmFormatException refused(Throwable failure) {
    if (failure instanceof WasmFormatException ours && ours.getCause() == null) {
      return ours;
    }
    LoggerFactory.getLogger(SideModuleStore.class)
        .debug("a side module cannot be compiled", failure);
    String why = "it is damaged, or has what is not known here";
    if (failure instanceof OutOfMemoryError) {
      why = "the heap has no room to compile it; enlarge it with -Xmx";
    } else if (failure instanceof StackOverflowError) {
      why = "its code is nested too deeply";
    } else if (String.valueOf(failure.getMessage()).contains("method size limits")) {
      why = "it has a function that is too large for the JVM";
    }
    return new WasmFormatException(why, failure);
  }

  private static SideModule module(byte[] binary, ClassFiles classes) {
    SideModuleLoader loader = new SideModuleLoader(classes);
    SideModule module = new SideModule(binary, machine(loader));
    FunctionTypes.SHARED.calledBy(Signature.allOf(module.module()));
    return module;
  }

  private static Function<Instance, Machine> machine(ClassLoader loader) {
    return instance -> {
      try {
        return (Machine)
            loader.loadClass(MACHINE).getConstructor(Instance.class).newInstance(instance);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("a compiled side module lacks its machine", e);
      }
    };
  }

  /** Class files by binary name. */
  interface ClassFiles {
    /** The file, or null if there is none. */
    byte[] classFile(String name) throws IOException;
  }

  /** Looks for the logger when there is something to say: to set up logging takes a while. */
  private static void warn(String text, Object... details) {
    LoggerFactory.getLogger(SideModuleStore.class).warn(text, details);
  }
}
