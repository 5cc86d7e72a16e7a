package io.pyrunr.wasm.runtime;

import com.dylibso.chicory.runtime.ImportFunction;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.WasmFunctionHandle;
import com.dylibso.chicory.wasm.types.FunctionType;

/**
 * An import that may turn out to be a function of another side module: whether it is, and of which,
 * is known when modules are linked. Compiled code calls {@link #entry} if there is one, the handle
 * otherwise.
 */
public final class LinkedFunction extends ImportFunction {
  private TableEntry entry;

  /** Makes an import that goes to {@code handle} until it is {@linkplain #link linked}. */
  public LinkedFunction(String module, String name, FunctionType type, WasmFunctionHandle handle) {
    super(module, name, type, handle);
  }

  /** Decides for a function of another module. */
  public void link(Instance owner, int function) {
    entry = ModuleEntries.of(owner).entry(owner, function);
  }

  /** What function import number {@code index} of {@code instance} was linked to, or null. */
  public static TableEntry entry(Instance instance, int index) {
    return instance.imports().function(index) instanceof LinkedFunction linked
        ? linked.entry
        : null;
  }
}
