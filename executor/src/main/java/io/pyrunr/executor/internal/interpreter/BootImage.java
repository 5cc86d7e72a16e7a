package io.pyrunr.executor.internal.interpreter;

import com.dylibso.chicory.runtime.GlobalInstance;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.TableInstance;
import com.dylibso.chicory.wasm.types.MutabilityType;
import io.pyrunr.executor.internal.runtime.PythonRuntime;
import io.pyrunr.wasm.runtime.LinearMemory;
import java.util.Arrays;

/**
 * A Python that has started and imported what jobs need, as data: memory, mutable globals, the
 * function table's entries, and the addresses of the few objects the host refers to. Any instance
 * of the same module becomes that Python by loading it.
 *
 * <p>Files are not part of it: what lies below a job's own files is the {@link
 * PythonEnvironment}'s, and start-up leaves nothing above that.
 *
 * <p>Immutable, shared between interpreters and threads.
 *
 * @param memory contents of linear memory, stack pointer included
 * @param globals values of the module's mutable globals in order of index
 * @param table function index of each table entry
 * @param run address of the Python function that runs a job
 * @param randomState address of the Mersenne Twister's state behind the module {@code random}
 */
record BootImage(
    LinearMemory.Snapshot memory, long[] globals, int[] table, int run, int randomState) {

  /** Memory an instance may have while no job sets its own limit: 2 GiB less one page. */
  static final int MAXIMUM_PAGES = LinearMemory.MAXIMUM_PAGES;

  /** Bytes of the state at {@link #randomState}: 624 words. */
  static final int RANDOM_STATE_BYTES = 624 * Integer.BYTES;

  /** How Chicory writes a null reference. */
  private static final int NULL_REFERENCE = -1;

  /** Entries beyond the image's that an instance may collect before it is replaced. */
  private static final int MAXIMUM_TABLE_GROWTH = 4096;

  /** Takes the image of a started runtime, whose memory from now on tracks what differs from it. */
  static BootImage of(PythonRuntime runtime, int run, int randomState) {
    Instance instance = runtime.instance();
    long[] globals = new long[instance.globalCount()];
    for (int i = 0; i < globals.length; i++) {
      globals[i] = instance.global(i).getValue();
    }
    TableInstance table = instance.table(0);
    int[] refs = new int[table.size()];
    Arrays.setAll(refs, table::ref);
    return new BootImage(runtime.memory().capture(), globals, refs, run, randomState);
  }

  /** Makes an instance that is linked but not started this Python. */
  void load(PythonRuntime runtime) {
    Instance instance = runtime.instance();
    TableInstance entries = instance.table(0);
    if (entries.size() < table.length) {
      entries.grow(table.length - entries.size(), NULL_REFERENCE, instance);
    }
    restoreTable(instance);
    restoreGlobals(instance);
    runtime.memory().load(memory);
  }

  /**
   * Makes an instance that was this Python before a job so again.
   *
   * @return pages of 4 KiB that were copied, or -1 if the instance has to be replaced
   */
  int restore(PythonRuntime runtime) {
    Instance instance = runtime.instance();
    if (instance.table(0).size() > table.length + MAXIMUM_TABLE_GROWTH) {
      return -1;
    }
    restoreTable(instance);
    restoreGlobals(instance);
    return runtime.memory().restore(memory);
  }

  /** A table cannot shrink: what a job added (through ctypes, say) is emptied. */
  private void restoreTable(Instance instance) {
    TableInstance entries = instance.table(0);
    for (int i = 0; i < table.length; i++) {
      if (entries.ref(i) != table[i]) {
        entries.setRef(i, table[i], instance);
      }
    }
    for (int i = table.length; i < entries.size(); i++) {
      entries.setRef(i, NULL_REFERENCE, null);
    }
  }

  private void restoreGlobals(Instance instance) {
    for (int i = 0; i < globals.length; i++) {
      GlobalInstance global = instance.global(i);
      if (global.getMutabilityType() == MutabilityType.Var && global.getValue() != globals[i]) {
        global.setValue(globals[i]);
      }
    }
  }
}
