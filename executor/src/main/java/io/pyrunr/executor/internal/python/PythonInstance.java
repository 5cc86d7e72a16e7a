package io.pyrunr.executor.internal.python;

import com.dylibso.chicory.runtime.ImportFunction;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.TagInstance;
import com.dylibso.chicory.wasm.types.FunctionType;
import com.dylibso.chicory.wasm.types.GlobalImport;
import com.dylibso.chicory.wasm.types.Import;
import com.dylibso.chicory.wasm.types.Table;
import com.dylibso.chicory.wasm.types.TableImport;
import com.dylibso.chicory.wasm.types.TableLimits;
import com.dylibso.chicory.wasm.types.TagImport;
import io.pyrunr.dist.Layout;
import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.emscripten.EmscriptenHost;
import io.pyrunr.executor.internal.emscripten.FunctionTypes;
import io.pyrunr.executor.internal.emscripten.Signals;
import io.pyrunr.executor.internal.emscripten.Surroundings;
import io.pyrunr.executor.internal.fs.VirtualFileSystem;
import io.pyrunr.executor.internal.link.DynamicLinker;
import io.pyrunr.executor.internal.link.ImportBinder;
import io.pyrunr.executor.internal.link.MainExports;
import io.pyrunr.executor.internal.link.SideModuleStore;
import io.pyrunr.wasm.runtime.FunctionTable;
import io.pyrunr.wasm.runtime.LinearMemory;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * One CPython in one wasm instance: linked, started, ready to be called.
 *
 * <p>Everything runs on the calling thread, which needs a large stack (512 MiB is plenty): CPython
 * recurses in C, and each wasm frame is a Java frame. Not thread-safe, {@link #signals()} excepted.
 *
 * <p>Calls may end with a {@link io.pyrunr.executor.internal.emscripten.HostFailure}, Chicory's
 * {@code ChicoryInterruptedException} or {@code StackOverflowError}; after any of them, or another
 * exception, the interpreter's state is undefined and it must not be called again.
 */
public final class PythonInstance {
  private static final int MAXIMUM_TABLE = 1 << 20;

  private final LinearMemory memory;
  private final VirtualFileSystem files;
  private final EmscriptenHost host;
  private final MainExports exports = new MainExports();
  private final Instance instance;
  private final DynamicLinker linker;
  private final Map<String, TagInstance> tags = new HashMap<>();

  /**
   * Instantiates the module. Python is not initialised yet: {@link #start} does that, or a boot
   * image is loaded.
   *
   * @param distribution the Python to run
   * @param files its files, see {@link PythonFiles}
   * @param modules where the side modules that Python loads come from
   * @param maximumPages of 64 KiB that its memory may have; {@link LinearMemory#setMaximumPages}
   *     changes it later
   * @param surroundings what it sees of chance and time
   */
  public PythonInstance(
      PyodideDistribution distribution,
      VirtualFileSystem files,
      SideModuleStore modules,
      int maximumPages,
      Surroundings surroundings) {
    this(
        distribution,
        files,
        modules,
        new LinearMemory(distribution.layout().initialPages(), maximumPages),
        surroundings);
  }

  /**
   * Instantiates the module on a memory that is there already, such as one made from a boot image's
   * contents. The image is to be loaded all the same.
   */
  public PythonInstance(
      PyodideDistribution distribution,
      VirtualFileSystem files,
      SideModuleStore modules,
      LinearMemory memory,
      Surroundings surroundings) {
    this.files = files;
    this.memory = memory;
    Layout layout = distribution.layout();
    memory.stackPointer = layout.stackHigh();
    linker = new DynamicLinker(memory, files, exports, modules);
    host =
        new EmscriptenHost(memory, files, PythonFiles.ENVIRONMENT, exports, linker, surroundings);
    instance =
        Instance.builder(distribution.module())
            .withImportValues(new Binder(layout).bind(distribution.module(), memory))
            .withMachineFactory(distribution.machineFactory())
            .withStart(false)
            .build();
    memory.main = instance;
    FunctionTypes.SHARED.calledByMain(distribution.functionTypes());
    exports.link(instance, memory, layout.memoryBase());
    linker.link(instance, host, tags);
  }

  /** The imports of the main module, which brings the table and the exception tags. */
  private final class Binder extends ImportBinder<RuntimeException> {
    private final Layout layout;

    Binder(Layout layout) {
      this.layout = layout;
    }

    @Override
    protected ImportFunction function(Import each, FunctionType type) {
      return hostFunction(host, each, type);
    }

    @Override
    protected int global(GlobalImport each) {
      return initialValue(layout, each);
    }

    @Override
    protected TagInstance tag(TagImport each, FunctionType type) {
      TagInstance tag = new TagInstance(each.tagType(), type);
      tags.put(each.name(), tag);
      return tag;
    }

    @Override
    protected FunctionTable table(TableImport each, LinearMemory of) {
      var limits = new TableLimits(layout.tableSize(), MAXIMUM_TABLE);
      of.table = new FunctionTable(new Table(each.entryType(), limits), FunctionTable.NULL);
      of.table.setCallbacks(host::callback);
      return of.table;
    }
  }

  private static int initialValue(Layout layout, Import global) {
    Integer value = layout.importedGlobals().get(global.module() + "." + global.name());
    if (value == null) {
      throw new IllegalStateException(
          "layout.json has no value for the imported global "
              + global.module()
              + "."
              + global.name()
              + "; rebuild pyodide-dist");
    }
    return value;
  }

  /** Initialises Python. */
  public void start() {
    callIfPresent("__wasm_apply_data_relocs");
    callIfPresent("__wasm_call_ctors");
    int name = newString("python");
    int arguments = allocate(8);
    memory.writeI32(arguments, name);
    memory.writeI32(arguments + 4, 0);
    long status = call("__main_argc_argv", 1, arguments);
    if (status != 0) {
      throw new IllegalStateException("Python failed to start: main returned " + status);
    }
    // From now on the evaluation loop asks for signals, see Signals.
    memory.writeByte(exports.address("Py_EMSCRIPTEN_SIGNAL_HANDLING"), (byte) 1);
  }

  private void callIfPresent(String function) {
    var section = instance.module().exportSection();
    for (int i = 0; i < section.exportCount(); i++) {
      if (section.getExport(i).name().equals(function)) {
        call(function);
        return;
      }
    }
  }

  // ---------------------------------------------------------------- calling

  /**
   * Calls an exported C function.
   *
   * @return its result as a raw wasm value, or 0 if it has none
   */
  public long call(String function, long... args) {
    return exports.call(function, args);
  }

  /** Address of an exported datum. */
  public int address(String symbol) {
    return exports.address(symbol);
  }

  /** Calls {@code malloc}; throws {@link OutOfMemoryError} if the job's limit is reached. */
  public int allocate(int bytes) {
    int at = (int) call("malloc", bytes);
    if (at == 0) {
      throw new OutOfMemoryError("the interpreter's memory limit is reached");
    }
    return at;
  }

  public void free(int address) {
    call("free", address);
  }

  /** Puts a text into memory as a C string, to be {@linkplain #free freed}. */
  public int newString(String text) {
    return newString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Puts bytes and a final zero into memory, to be {@linkplain #free freed}. */
  public int newString(byte[] bytes) {
    int at = allocate(bytes.length + 1);
    memory.write(at, bytes, 0, bytes.length);
    memory.writeByte(at + bytes.length, (byte) 0);
    return at;
  }

  /** Runs statements in {@code __main__}; returns 0, or -1 after printing the exception. */
  public int runSimpleString(String code) {
    int text = newString(code);
    try {
      return (int) call("PyRun_SimpleString", text);
    } finally {
      free(text);
    }
  }

  // ---------------------------------------------------------------- state

  /**
   * All that makes this Python what it is, files aside. Memory from now on tracks what differs from
   * it.
   */
  public InstanceState capture() {
    return InstanceState.of(memory, instance, linker);
  }

  /** Makes a runtime that is linked but not started the Python that {@code state} was taken of. */
  public void load(InstanceState state) {
    state.load(memory, instance, linker);
    exports.tableChanged();
  }

  /**
   * Makes a runtime that was this Python before a job so again.
   *
   * @return pages of 4 KiB that were copied
   */
  public int restore(InstanceState state) {
    if (memory.table.size() != state.tableSize()) {
      exports.tableChanged();
    }
    return state.restore(memory, instance, linker);
  }

  // ---------------------------------------------------------------- parts

  public LinearMemory memory() {
    return memory;
  }

  public VirtualFileSystem files() {
    return files;
  }

  /** Whether Python asked for more memory than it may have, since {@link #forgetRefusals}. */
  public boolean memoryRefused() {
    return host.memoryRefused();
  }

  public void forgetRefusals() {
    host.forgetRefusals();
  }

  public Signals signals() {
    return host.signals();
  }

  public Instance instance() {
    return instance;
  }
}
