package io.pyrunr.executor.internal.link;

import com.dylibso.chicory.runtime.HostFunction;
import com.dylibso.chicory.runtime.ImportFunction;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.TagInstance;
import com.dylibso.chicory.wasm.types.FunctionType;
import com.dylibso.chicory.wasm.types.GlobalImport;
import com.dylibso.chicory.wasm.types.Import;
import com.dylibso.chicory.wasm.types.TagImport;
import io.pyrunr.executor.internal.emscripten.DynamicLinking.DynamicLinkingException;
import io.pyrunr.executor.internal.emscripten.EmscriptenHost;
import io.pyrunr.wasm.format.LinkNotes.Relocation;
import io.pyrunr.wasm.runtime.LinearMemory;
import io.pyrunr.wasm.runtime.LinkedFunction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes instances of side modules that have been laid out, so that every address is known: resolves
 * what they import, and relocates and constructs them.
 */
final class ModuleLinker {
  private final LinearMemory memory;
  private final MainExports main;
  private final LoadedModules loaded;
  private final Map<String, TagInstance> tags = new HashMap<>();
  private EmscriptenHost host;
  private Instance mainInstance;

  ModuleLinker(LinearMemory memory, MainExports main, LoadedModules loaded) {
    this.memory = memory;
    this.main = main;
    this.loaded = loaded;
  }

  /** Says what modules are linked to; to be called before any is. */
  void link(Instance instance, EmscriptenHost functions, Map<String, TagInstance> exceptionTags) {
    mainInstance = instance;
    host = functions;
    tags.putAll(exceptionTags);
  }

  /** The main module's instance. */
  Instance main() {
    return mainInstance;
  }

  /** Links modules that may need each other. Their code has not run afterwards. */
  void instantiate(Collection<LoadedModule> modules) throws DynamicLinkingException {
    List<Runnable> whenInstantiated = new ArrayList<>();
    for (LoadedModule module : modules) {
      instantiate(module, whenInstantiated);
    }
    whenInstantiated.forEach(Runnable::run);
  }

  /** Links modules that were captured: each sees what those before it have made global. */
  void instantiateInTurn(Collection<LoadedModule> modules) throws DynamicLinkingException {
    List<Runnable> whenInstantiated = new ArrayList<>();
    for (LoadedModule module : modules) {
      instantiate(module, whenInstantiated);
      loaded.add(module);
    }
    whenInstantiated.forEach(Runnable::run);
  }

  private void instantiate(LoadedModule module, List<Runnable> whenInstantiated)
      throws DynamicLinkingException {
    SymbolScope scope = new SymbolScope(main, memory.table, loaded, module);
    var wasm = module.module.module();
    module.instance =
        Instance.builder(wasm)
            .withImportValues(new Binder(module, scope, whenInstantiated).bind(wasm, memory))
            .withMachineFactory(module.module.machine())
            .withStart(false)
            .build();
  }

  /** Fills in what the modules' data and the table say about addresses; then constructs them. */
  void start(Collection<LoadedModule> modules) {
    modules.forEach(this::relocate);
    modules.forEach(module -> callIfExported(module, "__wasm_call_ctors"));
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

  private static void callIfExported(LoadedModule module, String function) {
    if (module.module.function(function) != null) {
      module.instance.export(function).apply();
    }
  }

  /** The imports of one side module. */
  private final class Binder extends ImportBinder<DynamicLinkingException> {
    private final LoadedModule module;
    private final SymbolScope scope;
    private final List<Runnable> whenInstantiated;

    Binder(LoadedModule module, SymbolScope scope, List<Runnable> whenInstantiated) {
      this.module = module;
      this.scope = scope;
      this.whenInstantiated = whenInstantiated;
    }

    @Override
    protected ImportFunction function(Import each, FunctionType type)
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
      HostFunction fallback = hostFunction(host, each, type);
      LinkedFunction linked = new LinkedFunction(each.module(), name, type, fallback.handle());
      LoadedModule other = scope.withFunction(name);
      if (other != null) {
        whenInstantiated.add(() -> linked.link(other.instance, other.module.function(name)));
      }
      return linked;
    }

    @Override
    protected int global(GlobalImport global) throws DynamicLinkingException {
      String name = global.name();
      if (global.module().startsWith("GOT.")) {
        int address = scope.address(name);
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

    @Override
    protected TagInstance tag(TagImport each, FunctionType type) throws DynamicLinkingException {
      TagInstance tag = tags.get(each.name());
      if (tag == null) {
        throw new DynamicLinkingException(
            module.path + " imports the exception tag " + each.name() + ", which is unknown");
      }
      return tag;
    }
  }
}
