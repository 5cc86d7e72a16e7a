package io.pyrunr.executor.internal.link;

import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Machine;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.ActiveElement;
import com.dylibso.chicory.wasm.types.Element;
import com.dylibso.chicory.wasm.types.Export;
import com.dylibso.chicory.wasm.types.GlobalImport;
import com.dylibso.chicory.wasm.types.OpCode;
import com.dylibso.chicory.wasm.types.UnknownCustomSection;
import io.pyrunr.dist.ModuleShape;
import io.pyrunr.wasm.format.DylinkSection;
import io.pyrunr.wasm.format.LinkNotes;
import io.pyrunr.wasm.format.LinkNotes.Relocation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * A compiled {@code .so} file: what linking needs to know of it, and its code. Immutable and shared
 * by all interpreters of the JVM.
 */
public final class SideModule {
  private final WasmModule module;
  private final Function<Instance, Machine> machine;
  private final DylinkSection dylink;
  private final LinkNotes notes;
  private final Map<String, Integer> functions = new HashMap<>();
  private final Map<String, Integer> data = new HashMap<>();
  private final Map<Integer, Integer> tableOffsets = new HashMap<>();

  /**
   * Reads the parts.
   *
   * @param binary the module without its code, as {@link io.pyrunr.wasm.SideModuleCompiler} leaves
   *     it
   * @param machine makes its code available to an instance
   */
  SideModule(byte[] binary, Function<Instance, Machine> machine) {
    this.module = ModuleShape.read(binary);
    this.machine = machine;
    dylink = DylinkSection.parse(custom(DylinkSection.NAME));
    notes = LinkNotes.read(this::custom);
    readExports();
    readElements();
  }

  private byte[] custom(String name) {
    return module.customSection(name) instanceof UnknownCustomSection section
        ? section.bytes()
        : null;
  }

  private void readExports() {
    int imported = 0;
    for (int i = 0; i < module.importSection().importCount(); i++) {
      imported += module.importSection().getImport(i) instanceof GlobalImport ? 1 : 0;
    }
    for (int i = 0; i < module.exportSection().exportCount(); i++) {
      Export export = module.exportSection().getExport(i);
      switch (export.exportType()) {
        case FUNCTION -> functions.put(export.name(), export.index());
        case GLOBAL -> {
          var global = module.globalSection().getGlobal(export.index() - imported);
          var value = global.initInstructions().get(0);
          if (value.opcode() == OpCode.I32_CONST) {
            data.put(export.name(), (int) value.operand(0));
          }
        }
        default -> {} // neither tables nor memories are exported by side modules
      }
    }
  }

  /** Where functions stand behind the table base. */
  private void readElements() {
    for (int i = 0; i < module.elementSection().elementCount(); i++) {
      Element element = module.elementSection().getElement(i);
      if (element instanceof ActiveElement active
          && active.offset().get(0).opcode() == OpCode.GLOBAL_GET) {
        for (int at = 0; at < active.initializers().size(); at++) {
          var value = active.initializers().get(at).get(0);
          if (value.opcode() == OpCode.REF_FUNC) {
            tableOffsets.putIfAbsent((int) value.operand(0), at);
          }
        }
      }
    }
  }

  WasmModule module() {
    return module;
  }

  Function<Instance, Machine> machine() {
    return machine;
  }

  DylinkSection dylink() {
    return dylink;
  }

  List<Relocation> relocations() {
    return notes.relocations();
  }

  /** Indices of the globals that its code sets. */
  List<Integer> changingGlobals() {
    return notes.changingGlobals();
  }

  /** Names of all that it exports. */
  Set<String> symbols() {
    Set<String> names = new HashSet<>(functions.keySet());
    names.addAll(data.keySet());
    return names;
  }

  /** Index of an exported function, or null. */
  Integer function(String name) {
    return functions.get(name);
  }

  /** Offset of an exported datum from the memory base, or null. */
  Integer datum(String name) {
    return data.get(name);
  }

  /** Offset from the table base of the entry that the module's own segments give a function. */
  Integer tableOffset(int function) {
    return tableOffsets.get(function);
  }
}
