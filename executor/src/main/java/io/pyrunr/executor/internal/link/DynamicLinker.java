package io.pyrunr.executor.internal.link;

import com.dylibso.chicory.runtime.GlobalInstance;
import com.dylibso.chicory.runtime.ImportGlobal;
import com.dylibso.chicory.runtime.ImportMemory;
import com.dylibso.chicory.runtime.ImportTable;
import com.dylibso.chicory.runtime.ImportTag;
import com.dylibso.chicory.runtime.ImportValues;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.TagInstance;
import com.dylibso.chicory.wasm.types.FunctionImport;
import com.dylibso.chicory.wasm.types.FunctionType;
import com.dylibso.chicory.wasm.types.GlobalImport;
import com.dylibso.chicory.wasm.types.Import;
import com.dylibso.chicory.wasm.types.MemoryImport;
import com.dylibso.chicory.wasm.types.TableImport;
import com.dylibso.chicory.wasm.types.TagImport;
import com.dylibso.chicory.wasm.types.Value;
import io.pyrunr.executor.internal.emscripten.DynamicLinking;
import io.pyrunr.executor.internal.emscripten.EmscriptenHost;
import io.pyrunr.executor.internal.fs.BaseLayer;
import io.pyrunr.executor.internal.fs.Errno;
import io.pyrunr.executor.internal.fs.PosixException;
import io.pyrunr.executor.internal.fs.VirtualFileSystem;
import io.pyrunr.wasm.ir.WasmFormatException;
import io.pyrunr.wasm.pass.RelocationTable.Relocation;
import io.pyrunr.wasm.runtime.FunctionTable;
import io.pyrunr.wasm.runtime.LinearMemory;
import io.pyrunr.wasm.runtime.LinkedFunction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@code dlopen} as Emscripten's loader does it, for files of the read-only layer.
 *
 * <p>A library and what it needs are laid out first, so that every address is known; then symbols
 * are resolved and the modules instantiated, relocated and constructed, dependencies before their
 * dependents. A symbol is looked for in the main module, in libraries opened with {@code
 * RTLD_GLOBAL}, in those the library needs, in the library itself. An undefined weak symbol is 0.
 * Unlike Emscripten, each module has its own resolution: two libraries with symbols of the same
 * name do not get each other's.
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
  private final Exports main;
  private final SideModules modules;
  private final LibrarySearch search;
  private final Map<String, TagInstance> tags = new HashMap<>();
  private EmscriptenHost host;
  private Instance mainInstance;

  private final Map<String, LoadedModule> loaded = new LinkedHashMap<>();
  private final Map<Integer, LoadedModule> handles = new HashMap<>();

  /** Whether anything was opened, or given a table entry, since the last capture or restore. */
  private boolean changed;

  public DynamicLinker(
      LinearMemory memory, VirtualFileSystem files, Exports main, SideModules modules) {
    this.memory = memory;
    this.files = files;
    this.main = main;
    this.modules = modules;
    this.search = new LibrarySearch(files);
  }

  /** Says what modules are linked to; to be called before any is loaded. */
  public void link(
      Instance instance, EmscriptenHost functions, Map<String, TagInstance> exceptionTags) {
    mainInstance = instance;
    host = functions;
    tags.putAll(exceptionTags);
  }

  // ---------------------------------------------------------------- dlopen and dlsym

  @Override
  public void open(int handle) throws DynamicLinkingException {
    changed = true;
    String path = search.absolute(memory.cString(handle + DSO_NAME));
    boolean global = (memory.readInt(handle + DSO_FLAGS) & RTLD_GLOBAL) != 0;
    LoadedModule module = loaded.get(path);
    if (module == null) {
      module = load(path, global);
    } else if (global) {
      module.global = true;
    }
    handles.put(handle, module);
    memory.writeByte(handle + DSO_ALLOCATED, (byte) 1);
    memory.writeI32(handle + DSO_MEMORY_BASE, module.memoryBase);
    memory.writeI32(handle + DSO_MEMORY_SIZE, module.module.dylink().memorySize());
    memory.writeI32(handle + DSO_TABLE_BASE, module.tableBase);
    memory.writeI32(handle + DSO_TABLE_SIZE, module.module.dylink().tableSize());
  }

  @Override
  public int symbol(int handle, String name) throws DynamicLinkingException {
    LoadedModule module = handles.get(handle);
    int address = module == null ? main.symbol(name) : ownSymbol(module, name);
    if (address == 0) {
      String where = module == null ? "the main program" : module.path;
      throw new DynamicLinkingException("symbol " + name + " not found in " + where);
    }
    return address;
  }

  // ---------------------------------------------------------------- loading

  private LoadedModule load(String path, boolean global) throws DynamicLinkingException {
    Deque<LoadedModule> order = new ArrayDeque<>();
    Map<String, LoadedModule> laidOut = new HashMap<>();
    LoadedModule root = layOut(path, global, laidOut, order);
    List<Runnable> whenInstantiated = new ArrayList<>();
    for (LoadedModule module : order) {
      module.root = root;
      instantiate(module, scope(module), whenInstantiated);
    }
    whenInstantiated.forEach(Runnable::run);
    order.forEach(this::fillAddedEntries);
    order.forEach(module -> loaded.put(module.path, module));
    order.forEach(this::relocate);
    order.forEach(module -> callIfExported(module, "__wasm_call_ctors"));
    return root;
  }

  private static void callIfExported(LoadedModule module, String function) {
    if (module.module.function(function) != null) {
      module.instance.export(function).apply();
    }
  }

  /** Reserves memory and table entries for a module and those it needs, dependencies first. */
  private LoadedModule layOut(
      String path, boolean global, Map<String, LoadedModule> laidOut, Deque<LoadedModule> order)
      throws DynamicLinkingException {
    SideModule module = module(path);
    for (LoadedModule known : loaded.values()) {
      if (known.module == module) {
        return known; // the same file under another name
      }
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
      LoadedModule known = loaded.getOrDefault(needed, laidOut.get(needed));
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
      content = files.baseContent(path);
    } catch (PosixException e) {
      String reason = e.errno() == Errno.ENOENT ? "No such file" : e.getMessage();
      throw new DynamicLinkingException(path + ": " + reason);
    }
    if (content == null) {
      throw new DynamicLinkingException(
          path + ": only libraries of the wheel cache can be loaded; put its wheel there");
    }
    try {
      return modules.of(content);
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

  // ---------------------------------------------------------------- symbols

  /** Whose symbols {@code module} sees besides the main module's, first match first. */
  private Set<LoadedModule> scope(LoadedModule module) {
    Set<LoadedModule> scope = new LinkedHashSet<>();
    for (LoadedModule each : loaded.values()) {
      if (each.global) {
        scope.add(each);
      }
    }
    addDependencies(module.root, scope);
    addDependencies(module, scope);
    scope.add(module);
    return scope;
  }

  private static void addDependencies(LoadedModule module, Set<LoadedModule> scope) {
    for (LoadedModule each : module.dependencies) {
      if (scope.add(each)) {
        addDependencies(each, scope);
      }
    }
  }

  /** Address of a symbol: a datum's, or a function's table index; 0 if nobody defines it. */
  private int address(String name, Set<LoadedModule> scope) {
    int address = main.symbol(name);
    for (LoadedModule each : scope) {
      if (address != 0) {
        break;
      }
      address = ownSymbol(each, name);
    }
    return address;
  }

  private int ownSymbol(LoadedModule module, String name) {
    Integer function = module.module.function(name);
    return function == null ? module.dataAddress(name) : entry(module, function);
  }

  private int entry(LoadedModule module, int function) {
    int known = module.knownEntry(function);
    if (known == 0) {
      changed = true;
      // The reference is NULL as long as the module has no instance.
      int reference = module.instance == null ? FunctionTable.NULL : function;
      known = memory.table.grow(1, reference, module.instance);
      if (known < 0) {
        return 0;
      }
      module.addEntry(function, known);
    }
    return known;
  }

  private void fillAddedEntries(LoadedModule module) {
    module
        .addedEntries()
        .forEach((function, index) -> memory.table.setRef(index, function, module.instance));
  }

  // ---------------------------------------------------------------- instances

  private void instantiate(
      LoadedModule module, Set<LoadedModule> scope, List<Runnable> whenInstantiated)
      throws DynamicLinkingException {
    var wasm = module.module.module();
    ImportValues.Builder values = ImportValues.builder();
    for (int i = 0; i < wasm.importSection().importCount(); i++) {
      Import each = wasm.importSection().getImport(i);
      if (each instanceof FunctionImport function) {
        FunctionType type = wasm.typeSection().getType(function.typeIndex());
        values.addFunction(function(module, each, type, scope, whenInstantiated));
      } else if (each instanceof GlobalImport global) {
        Value value = Value.i32(globalValue(module, global, scope));
        values.addGlobal(
            new ImportGlobal(
                each.module(), each.name(), new GlobalInstance(value, global.mutabilityType())));
      } else if (each instanceof MemoryImport) {
        values.addMemory(new ImportMemory(each.module(), each.name(), memory));
      } else if (each instanceof TableImport) {
        values.addTable(new ImportTable(each.module(), each.name(), memory.table));
      } else if (each instanceof TagImport) {
        TagInstance tag = tags.get(each.name());
        if (tag == null) {
          throw new DynamicLinkingException(
              module.path + " imports the exception tag " + each.name() + ", which is unknown");
        }
        values.addTag(new ImportTag(each.module(), each.name(), tag));
      }
    }
    module.instance =
        Instance.builder(wasm)
            .withImportValues(values.build())
            .withMachineFactory(module.module.machine())
            .withStart(false)
            .build();
  }

  private LinkedFunction function(
      LoadedModule module,
      Import each,
      FunctionType type,
      Set<LoadedModule> scope,
      List<Runnable> whenInstantiated)
      throws DynamicLinkingException {
    String name = each.name();
    Integer inMain = main.function(name, type);
    if (inMain != null) {
      // For completeness: compiled code calls the main module's method directly.
      return new LinkedFunction(
          each.module(),
          name,
          type,
          (instance, args) -> mainInstance.getMachine().call(inMain, args));
    }
    if (main.hasFunction(name)) {
      throw new DynamicLinkingException(
          module.path + " imports " + name + " with another type than Python has it");
    }
    var hostFunction = host.function(each.module(), name, type);
    LinkedFunction linked = new LinkedFunction(each.module(), name, type, hostFunction.handle());
    for (LoadedModule other : scope) {
      Integer function = other.module.function(name);
      if (function != null) {
        whenInstantiated.add(() -> linked.link(other.instance, function));
        break;
      }
    }
    return linked;
  }

  private int globalValue(LoadedModule module, GlobalImport global, Set<LoadedModule> scope)
      throws DynamicLinkingException {
    String name = global.name();
    if (global.module().startsWith("GOT.")) {
      int address = address(name, scope);
      if (address == 0 && !module.module.dylink().weakImports().contains(name)) {
        throw new DynamicLinkingException(module.path + " needs the undefined symbol " + name);
      }
      return address;
    }
    return switch (name) {
      case "__memory_base" -> module.memoryBase;
      case "__table_base" -> module.tableBase;
      case "__stack_pointer" -> memory.stackPointer; // compiled code keeps it in the memory
      default ->
          throw new DynamicLinkingException(
              module.path + " imports the global " + name + ", which is unknown");
    };
  }

  private void relocate(LoadedModule module) {
    for (Relocation each : module.module.relocations()) {
      memory.writeI32(
          sum(module, each.addressGlobal(), each.addressOffset()),
          sum(module, each.valueGlobal(), each.valueOffset()));
    }
    callIfExported(module, "__wasm_apply_data_relocs"); // empty if it became the table above
  }

  private static int sum(LoadedModule module, int global, int offset) {
    return global < 0 ? offset : (int) module.instance.global(global).getValue() + offset;
  }

  // ---------------------------------------------------------------- boot image

  /** What is loaded at this moment. */
  public LinkedModules capture() {
    List<LoadedModule> all = List.copyOf(loaded.values());
    List<LinkedModules.Module> captured = new ArrayList<>();
    for (LoadedModule each : all) {
      captured.add(
          new LinkedModules.Module(
              each.path,
              each.memoryBase,
              each.tableBase,
              each.global,
              all.indexOf(each.root),
              each.dependencies.stream().map(all::indexOf).toList(),
              each.addedEntries(),
              each.module.changingGlobals().stream()
                  .map(global -> each.instance.global(global).getValue())
                  .toList()));
    }
    Map<Integer, Integer> byHandle = new HashMap<>();
    handles.forEach((handle, module) -> byHandle.put(handle, all.indexOf(module)));
    changed = false;
    return new LinkedModules(captured, byHandle);
  }

  /**
   * Instantiates modules where they stood when they were captured. The table must have the main
   * module's entries already; the caller then sets the other entries and the memory, where this
   * leaves the modules as they come from their files: constructors are not run.
   */
  public void load(LinkedModules image) {
    List<LoadedModule> all = new ArrayList<>();
    try {
      for (LinkedModules.Module each : image.modules()) {
        all.add(LoadedModule.of(each, module(each.path())));
      }
      for (int i = 0; i < all.size(); i++) {
        LinkedModules.Module captured = image.modules().get(i);
        all.get(i).root = all.get(captured.root());
        for (int dependency : captured.dependencies()) {
          all.get(i).dependencies.add(all.get(dependency));
        }
      }
      List<Runnable> whenInstantiated = new ArrayList<>();
      for (LoadedModule module : all) {
        instantiate(module, scope(module), whenInstantiated);
        loaded.put(module.path, module);
      }
      whenInstantiated.forEach(Runnable::run);
    } catch (DynamicLinkingException e) {
      throw new IllegalStateException("the boot image has a module that cannot be loaded", e);
    }
    image.handles().forEach((handle, index) -> handles.put(handle, all.get(index)));
    restoreGlobals(image);
    changed = false;
  }

  /** Forgets what was loaded and looked up since {@code image}, the one last captured or loaded. */
  public void restore(LinkedModules image, int tableSize) {
    if (changed) {
      List<LoadedModule> all = List.copyOf(loaded.values());
      loaded.clear();
      handles.clear();
      for (int i = 0; i < image.modules().size(); i++) {
        LoadedModule module = all.get(i);
        module.global = image.modules().get(i).global();
        module.addedEntries().values().removeIf(index -> index >= tableSize);
        loaded.put(module.path, module);
      }
      image.handles().forEach((handle, index) -> handles.put(handle, all.get(index)));
      changed = false;
    }
    restoreGlobals(image);
  }

  private void restoreGlobals(LinkedModules image) {
    int at = 0;
    for (LoadedModule module : loaded.values()) {
      List<Long> values = image.modules().get(at++).globals();
      List<Integer> globals = module.module.changingGlobals();
      for (int i = 0; i < globals.size(); i++) {
        module.instance.global(globals.get(i)).setValue(values.get(i));
      }
    }
  }

  /** The module an instance belongs to, by its place in {@link #capture}; -1 for the main one. */
  public int ordinal(Instance owner) {
    int at = 0;
    for (LoadedModule module : loaded.values()) {
      if (module.instance == owner) {
        return at;
      }
      at++;
    }
    return -1;
  }

  /** The reverse of {@link #ordinal}. */
  public Instance owner(int ordinal) {
    return ordinal < 0 ? mainInstance : List.copyOf(loaded.values()).get(ordinal).instance;
  }
}
