package io.pyrunr.executor.internal.link;

import com.dylibso.chicory.runtime.GlobalInstance;
import com.dylibso.chicory.runtime.HostFunction;
import com.dylibso.chicory.runtime.ImportFunction;
import com.dylibso.chicory.runtime.ImportGlobal;
import com.dylibso.chicory.runtime.ImportMemory;
import com.dylibso.chicory.runtime.ImportTable;
import com.dylibso.chicory.runtime.ImportTag;
import com.dylibso.chicory.runtime.ImportValues;
import com.dylibso.chicory.runtime.TagInstance;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.FunctionImport;
import com.dylibso.chicory.wasm.types.FunctionType;
import com.dylibso.chicory.wasm.types.GlobalImport;
import com.dylibso.chicory.wasm.types.Import;
import com.dylibso.chicory.wasm.types.MemoryImport;
import com.dylibso.chicory.wasm.types.TableImport;
import com.dylibso.chicory.wasm.types.TagImport;
import com.dylibso.chicory.wasm.types.Value;
import io.pyrunr.executor.internal.emscripten.EmscriptenHost;
import io.pyrunr.executor.internal.emscripten.HostCall;
import io.pyrunr.wasm.runtime.FunctionTable;
import io.pyrunr.wasm.runtime.LinearMemory;

/**
 * Gives a module what it imports. All modules of one Python share its memory and table; what else
 * an import stands for is decided by the kind of module.
 *
 * @param <X> thrown if an import cannot be had
 */
public abstract class ImportBinder<X extends Exception> {

  /** The values of a module's imports, in their order. */
  public final ImportValues bind(WasmModule module, LinearMemory memory) throws X {
    ImportValues.Builder values = ImportValues.builder();
    var section = module.importSection();
    for (int i = 0; i < section.importCount(); i++) {
      Import each = section.getImport(i);
      if (each instanceof FunctionImport function) {
        values.addFunction(function(each, module.typeSection().getType(function.typeIndex())));
      } else if (each instanceof GlobalImport global) {
        GlobalInstance value =
            new GlobalInstance(Value.i32(global(global)), global.mutabilityType());
        values.addGlobal(new ImportGlobal(each.module(), each.name(), value));
      } else if (each instanceof MemoryImport) {
        values.addMemory(new ImportMemory(each.module(), each.name(), memory));
      } else if (each instanceof TableImport table) {
        values.addTable(new ImportTable(each.module(), each.name(), table(table, memory)));
      } else if (each instanceof TagImport tag) {
        FunctionType type = module.typeSection().getType(tag.tagType().typeIdx());
        values.addTag(new ImportTag(each.module(), each.name(), tag(tag, type)));
      }
    }
    return values.build();
  }

  /** A function of the host's as an import. */
  protected static HostFunction hostFunction(EmscriptenHost host, Import each, FunctionType type) {
    HostCall call = host.function(each.module(), each.name());
    return new HostFunction(
        each.module(), each.name(), type, (instance, arguments) -> call.call(arguments));
  }

  /** What a function import calls. */
  protected abstract ImportFunction function(Import each, FunctionType type) throws X;

  /** A global's initial value. */
  protected abstract int global(GlobalImport each) throws X;

  /** An exception tag; two imports are the same exception only if they get the same object. */
  protected abstract TagInstance tag(TagImport each, FunctionType type) throws X;

  /** The table: the memory's, unless this is the module that brings it. */
  protected FunctionTable table(TableImport each, LinearMemory memory) {
    return memory.table;
  }
}
