package io.pyrunr.executor.internal.link;

import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.TagInstance;
import io.pyrunr.executor.internal.emscripten.DynamicLinking;
import io.pyrunr.executor.internal.emscripten.EmscriptenHost;
import io.pyrunr.executor.internal.fs.BaseLayer;
import io.pyrunr.executor.internal.fs.Errno;
import io.pyrunr.executor.internal.fs.PosixException;
import io.pyrunr.executor.internal.fs.VirtualFileSystem;
import io.pyrunr.wasm.format.WasmFormatException;
import io.pyrunr.wasm.runtime.FunctionTable;
import io.pyrunr.wasm.runtime.LinearMemory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code dlopen} as Emscripten's loader does it, for files of the read-only layer.
 *
 * <p>A library and what it needs are laid out first, so that every address is known; then symbols
 * are resolved and the modules instantiated, relocated and constructed, dependencies before their
 * dependents ({@link ModuleLinker}). An undefined weak symbol is 0. Unlike Emscripten, each module
 * has its own resolution ({@link SymbolScope}): two libraries with symbols of the same name do not
 * get each other's.
 */
public final class DynamicLinker implements DynamicLinking {
  // Emscripten's struct dso, from system/lib/libc/musl's dynlink.h.
  private static final int DSO_FLAGS = 4;
  private static final int DSO_ALLOCATED = 8;
  private static final int DSO_MEMORY_BASE = 12;
  private static final int DSO_MEMORY_SIZE = 16;
  private static final int DSO_TABLE_BASE = 20;
  private static final int DSO_TABLE_SIZE = 24;
  private static final int DSO_NAME = 36;

  private static final int RTLD_GLOBAL = 0x100;

  private final LinearMemory memory;
  private final VirtualFileSystem files;
  private final MainExports main;
  private final SideModuleStore store;
  private final LibrarySearch search;
  private final LoadedModules loaded = new LoadedModules();
  private final ModuleLinker linker;

  public DynamicLinker(
      LinearMemory memory, VirtualFileSystem files, MainExports main, SideModuleStore store) {
    this.memory = memory;
    this.files = files;
    this.main = main;
    this.store = store;
    search = new LibrarySearch(files);
    linker = new ModuleLinker(memory, main, loaded);
  }

  /** Says what modules are linked to; to be called before any is loaded. */
  public void link(
      Instance instance, EmscriptenHost functions, Map<String, TagInstance> exceptionTags) {
    linker.link(instance, functions, exceptionTags);
  }

  // ---------------------------------------------------------------- dlopen and dlsym

  @Override
  public void open(int handle) throws DynamicLinkingException {
    String path = search.absolute(memory.cString(handle + DSO_NAME));
    boolean global = (memory.readInt(handle + DSO_FLAGS) & RTLD_GLOBAL) != 0;
    LoadedModule module = loaded.find(path);
    if (module == null) {
      module = load(path, global);
    } else if (global) {
      module.global = true;
    }
    loaded.open(handle, module);
    memory.writeByte(handle + DSO_ALLOCATED, (byte) 1);
    memory.writeI32(handle + DSO_MEMORY_BASE, module.memoryBase);
    memory.writeI32(handle + DSO_MEMORY_SIZE, module.module.dylink().memorySize());
    memory.writeI32(handle + DSO_TABLE_BASE, module.tableBase);
    memory.writeI32(handle + DSO_TABLE_SIZE, module.module.dylink().tableSize());
  }

  @Override
  public int symbol(int handle, String name) throws DynamicLinkingException {
    LoadedModule module = loaded.find(handle);
    int address =
        module == null
            ? main.symbol(name)
            : SymbolScope.address(module, name, memory.table, loaded);
    if (address == 0) {
      String where = module == null ? "the main program" : module.path;
      throw new DynamicLinkingException("symbol " + name + " not found in " + where);
    }
    return address;
  }

  // ---------------------------------------------------------------- loading

  private LoadedModule load(String path, boolean global) throws DynamicLinkingException {
    loaded.changed(); // also if this fails half way
    Deque<LoadedModule> order = new ArrayDeque<>();
    LoadedModule root = layOut(path, global, new HashMap<>(), order);
    order.forEach(module -> module.root = root);
    linker.instantiate(order);
    order.forEach(module -> module.fillAddedEntries(memory.table));
    order.forEach(loaded::add);
    linker.start(order);
    return root;
  }

  /** Reserves memory and table entries for a module and those it needs, dependencies first. */
  private LoadedModule layOut(
      String path, boolean global, Map<String, LoadedModule> laidOut, Deque<LoadedModule> order)
      throws DynamicLinkingException {
    SideModule module = module(path);
    LoadedModule same = loaded.find(module);
    if (same != null) {
      return same; // the same file under another name
    }
    var dylink = module.dylink();
    LoadedModule result =
        new LoadedModule(
            path,
            module,
            reserveMemory(dylink.memorySize(), dylink.memoryAlignment(), path),
            reserveTable(dylink.tableSize(), dylink.tableAlignment(), path),
            global);
    laidOut.put(path, result); // before those it needs: they may need it in turn
    for (String name : dylink.needed()) {
      String needed = search.find(name, path, dylink.runtimePath());
      LoadedModule known = loaded.find(needed);
      known = known == null ? laidOut.get(needed) : known;
      if (known == null) {
        known = layOut(needed, global, laidOut, order);
      } else if (global) {
        known.global = true;
      }
      result.dependencies.add(known);
    }
    order.addLast(result);
    return result;
  }

  private SideModule module(String path) throws DynamicLinkingException {
    BaseLayer.Content content;
    try {
      content = files.host().baseContent(path);
    } catch (PosixException e) {
      String reason = e.errno() == Errno.ENOENT ? "No such file" : e.getMessage();
      throw new DynamicLinkingException(path + ": " + reason);
    }
    if (content == null) {
      throw new DynamicLinkingException(
          path + ": only libraries of the wheel cache can be loaded; put its wheel there");
    }
    try {
      return store.of(content);
    } catch (WasmFormatException e) {
      throw new DynamicLinkingException(path + ": " + e.getMessage());
    }
  }

  private int reserveMemory(int size, int alignment, String path) throws DynamicLinkingException {
    if (size == 0) {
      return 0;
    }
    int at = (int) main.call("calloc", size + alignment, 1);
    if (at == 0) {
      throw new DynamicLinkingException(
          path + ": no memory left for its " + size + " bytes of data; allow the job more");
    }
    return (at + alignment - 1) & -alignment;
  }

  private int reserveTable(int size, int alignment, String path) throws DynamicLinkingException {
    FunctionTable table = memory.table;
    int base = (table.size() + alignment - 1) & -alignment;
    if (size > 0 && table.grow(base - table.size() + size, FunctionTable.NULL, null) < 0) {
      throw new DynamicLinkingException(path + ": the function table is full");
    }
    return base;
  }

  // ---------------------------------------------------------------- boot image

  /** What is loaded at this moment. */
  public ModulesImage capture() {
    return loaded.capture();
  }

  /**
   * Instantiates modules where they stood when they were captured. The table must have the main
   * module's entries already; the caller then sets the other entries and the memory, where this
   * leaves the modules as they come from their files: constructors are not run.
   */
  public void load(ModulesImage image) {
    List<LoadedModule> all = new ArrayList<>();
    try {
      for (ModulesImage.Module each : image.modules()) {
        all.add(LoadedModule.of(each, module(each.path())));
      }
      for (int i = 0; i < all.size(); i++) {
        ModulesImage.Module captured = image.modules().get(i);
        all.get(i).root = all.get(captured.root());
        for (int dependency : captured.dependencies()) {
          all.get(i).dependencies.add(all.get(dependency));
        }
      }
      linker.instantiateInTurn(all);
    } catch (DynamicLinkingException e) {
      throw new IllegalStateException("the boot image has a module that cannot be loaded", e);
    }
    loaded.loaded(image);
  }

  /** Forgets what was loaded and looked up since {@code image}, the one last captured or loaded. */
  public void restore(ModulesImage image, int tableSize) {
    loaded.restore(image, tableSize);
  }

  /** The module an instance belongs to, by its place in {@link #capture}; -1 for the main one. */
  public int ordinal(Instance owner) {
    return loaded.ordinal(owner);
  }

  /** The reverse of {@link #ordinal}. */
  public Instance owner(int ordinal) {
    return ordinal < 0 ? linker.main() : loaded.at(ordinal).instance;
  }
}
