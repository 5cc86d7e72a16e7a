package io.pyrunr.executor.internal.python;

import com.dylibso.chicory.runtime.GlobalInstance;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.wasm.types.MutabilityType;
import io.pyrunr.executor.internal.link.DynamicLinker;
import io.pyrunr.executor.internal.link.ModulesImage;
import io.pyrunr.wasm.runtime.FunctionTable;
import io.pyrunr.wasm.runtime.LinearMemory;

/**
 * A Python's state as data: memory, mutable globals, the function table, the side modules. Any
 * instance of the same main module becomes that Python by loading it.
 *
 * <p>Immutable, shared between interpreters and threads.
 *
 * @param memory contents of linear memory, stack pointer included
 * @param globals values of the main module's globals in order of index
 * @param references function index of each table entry, or what stands for a callback
 * @param owners whose function it is: a module's place in {@code modules}, or -1 for the main
 *     module
 * @param modules the side modules
 */
public record InstanceState(
    LinearMemory.Snapshot memory,
    long[] globals,
    int[] references,
    short[] owners,
    ModulesImage modules) {

  static InstanceState of(LinearMemory memory, Instance main, DynamicLinker linker) {
    long[] globals = new long[main.globalCount()];
    for (int i = 0; i < globals.length; i++) {
      globals[i] = main.global(i).getValue();
    }
    FunctionTable table = memory.table;
    int[] references = new int[table.size()];
    short[] owners = new short[references.length];
    for (int i = 0; i < references.length; i++) {
      references[i] = table.ref(i);
      owners[i] = (short) (table.instance(i) == main ? -1 : linker.ordinal(table.instance(i)));
    }
    table.seal();
    return new InstanceState(memory.capture(), globals, references, owners, linker.capture());
  }

  int tableSize() {
    return references.length;
  }

  void load(LinearMemory target, Instance main, DynamicLinker linker) {
    FunctionTable table = target.table;
    table.truncate(0);
    table.grow(references.length, FunctionTable.NULL, null);
    for (int i = 0; i < references.length; i++) {
      if (owners[i] < 0 && references[i] != FunctionTable.NULL) {
        table.setRef(i, references[i], references[i] < FunctionTable.NULL ? null : main);
      }
    }
    if (!modules.modules().isEmpty()) {
      target.grow(memory.size() / LinearMemory.PAGE_SIZE - target.pages());
      linker.load(modules);
      for (int i = 0; i < references.length; i++) {
        if (owners[i] >= 0) {
          table.setRef(i, references[i], linker.owner(owners[i]));
        }
      }
    }
    table.seal();
    restoreGlobals(main);
    target.load(memory);
  }

  int restore(LinearMemory target, Instance main, DynamicLinker linker) {
    target.table.truncate(references.length); // what is left was sealed
    linker.restore(modules, references.length);
    restoreGlobals(main);
    return target.restore(memory);
  }

  private void restoreGlobals(Instance main) {
    for (int i = 0; i < globals.length; i++) {
      GlobalInstance global = main.global(i);
      if (global.getMutabilityType() == MutabilityType.Var && global.getValue() != globals[i]) {
        global.setValue(globals[i]);
      }
    }
  }
}
