package io.pyrunr.wasm.internal.jvm;

import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.Export;
import com.dylibso.chicory.wasm.types.ExternalType;
import com.dylibso.chicory.wasm.types.FunctionImport;
import io.pyrunr.wasm.types.Signature;
import java.util.HashMap;
import java.util.Map;

/** The compiled main module as the modules see it that import its functions. Immutable. */
public final class MainModule {
  /**
   * An exported function.
   *
   * @param owner internal name of the class that has its method
   * @param index in the main module
   * @param signature its type
   */
  record Function(String owner, int index, Signature signature) {}

  private final Map<String, Function> functions = new HashMap<>();

  /**
   * Reads the exports.
   *
   * @param machine binary name of the module's machine class
   * @param functionsPerClass as {@link ModuleCompiler.Compiled} says
   */
  public MainModule(WasmModule module, String machine, int functionsPerClass) {
    int imported = 0;
    for (int i = 0; i < module.importSection().importCount(); i++) {
      if (module.importSection().getImport(i) instanceof FunctionImport) {
        imported++;
      }
    }
    for (int i = 0; i < module.exportSection().exportCount(); i++) {
      Export export = module.exportSection().getExport(i);
      if (export.exportType() == ExternalType.FUNCTION && export.index() >= imported) {
        var type =
            module
                .functionSection()
                .getFunctionType(export.index() - imported, module.typeSection());
        functions.put(
            export.name(),
            new Function(
                ModuleCompiler.owner(machine, export.index(), functionsPerClass),
                export.index(),
                Signature.of(type)));
      }
    }
  }

  /** The exported function of this name, or null. */
  Function function(String name) {
    return functions.get(name);
  }
}
