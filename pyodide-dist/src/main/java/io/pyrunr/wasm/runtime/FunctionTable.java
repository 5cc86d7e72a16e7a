package io.pyrunr.wasm.runtime;

import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.TableInstance;
import com.dylibso.chicory.wasm.ChicoryException;
import com.dylibso.chicory.wasm.UninstantiableException;
import com.dylibso.chicory.wasm.types.Table;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * A table of functions that compiled code calls through without boxing, whichever module they are
 * of. Unlike Chicory's it can be cut back, so that what a job loaded leaves nothing behind.
 *
 * <p>References are Chicory's: a function's index and the instance it belongs to, or {@link #NULL}.
 * Those below {@code NULL} belong to no instance: they are the complements of addresses, where the
 * host finds what it is to do ({@link #setCallback}). The {@link TableEntry} for a reference is
 * made when it is first called.
 *
 * <p>Not thread-safe: it belongs to the thread that runs its interpreter.
 */
public final class FunctionTable extends TableInstance {
  /** How Chicory writes a null reference. */
  public static final int NULL = -1;

  private int size;
  private int sealed;
  private int[] references;
  private Instance[] owners;
  private TableEntry[] entries;
  private IntFunction<TableEntry> callbacks;

  /** Makes a table of the smallest size {@code table} allows. */
  public FunctionTable(Table table, int initialValue) {
    super(table, initialValue);
    size = (int) table.limits().min();
    references = new int[size];
    owners = new Instance[size];
    entries = new TableEntry[size];
    Arrays.fill(references, initialValue);
  }

  /** Table number {@code index} of the module that {@code instance} is one of. */
  public static FunctionTable of(int index, LinearMemory memory, Instance instance) {
    if (index == 0 && memory != null && memory.table != null) {
      return memory.table;
    }
    return (FunctionTable) instance.table(index);
  }

  /**
   * The function to call.
   *
   * @throws ChicoryException if there is none
   */
  public TableEntry entry(int index) {
    TableEntry[] known = entries;
    if (index >= 0 && index < known.length) {
      TableEntry entry = known[index];
      if (entry != null) {
        return entry;
      }
    }
    return resolve(index);
  }

  private TableEntry resolve(int index) {
    int function = requiredRef(index);
    if (function < NULL && callbacks != null) {
      TableEntry callback = callbacks.apply(~function);
      entries[index] = callback.keepable() ? callback : null;
      return callback;
    }
    Instance owner = owners[index];
    if (owner == null) {
      throw new ChicoryException("element " + index + " belongs to no module");
    }
    TableEntry entry = ModuleEntries.of(owner).entry(owner, function);
    entries[index] = entry;
    return entry;
  }

  /** Says who makes the entries that {@link #setCallback} announces, from their addresses. */
  public void setCallbacks(IntFunction<TableEntry> maker) {
    callbacks = maker;
  }

  /**
   * Makes an entry the host's.
   *
   * @param address in memory, positive; the entry depends on nothing else, so it can be made again
   *     wherever table and memory are restored
   */
  public void setCallback(int index, int address) {
    setRef(index, ~address, null);
  }

  /** What an indirect call of another type ends with. */
  public static RuntimeException mismatch() {
    return new ChicoryException("indirect call type mismatch");
  }

  /** From now on the entries there are cannot be changed, until the table is cut back to fewer. */
  public void seal() {
    sealed = size;
  }

  /** Makes the table as small as it was; the entries from {@code newSize} on are gone. */
  public void truncate(int newSize) {
    if (newSize < size) {
      sealed = Math.min(sealed, newSize);
      Arrays.fill(references, newSize, size, NULL);
      Arrays.fill(owners, newSize, size, null);
      Arrays.fill(entries, newSize, size, null);
      limits().grow(newSize - size);
      size = newSize;
      int most = newSize + newSize / 4;
      if (references.length > most) {
        resize(most);
      }
    }
  }

  private void resize(int capacity) {
    references = Arrays.copyOf(references, capacity);
    owners = Arrays.copyOf(owners, capacity);
    entries = Arrays.copyOf(entries, capacity);
  }

  // ---------------------------------------------------------------- as Chicory sees it

  @Override
  public int size() {
    return size;
  }

  @Override
  public int grow(int delta, int value, Instance instance) {
    int before = size;
    if (delta < 0 || delta > limits().max() - before) {
      return -1;
    }
    int after = before + delta;
    if (after > references.length) {
      resize(Math.max(after, before + before / 4));
    }
    Arrays.fill(references, before, after, value);
    Arrays.fill(owners, before, after, instance);
    size = after;
    limits().grow(delta);
    return before;
  }

  @Override
  public int ref(int index) {
    if (index < 0 || index >= size) {
      throw new ChicoryException("undefined element");
    }
    return references[index];
  }

  @Override
  public int requiredRef(int index) {
    int reference = ref(index);
    if (reference == NULL) {
      throw new ChicoryException("uninitialized element " + index);
    }
    return reference;
  }

  @Override
  public void setRef(int index, int value, Instance instance) {
    if (index < 0 || index >= size) {
      throw new UninstantiableException("out of bounds table access");
    }
    if (index < sealed) {
      throw new ChicoryException("element " + index + " is sealed");
    }
    references[index] = value;
    owners[index] = instance;
    entries[index] = null;
  }

  @Override
  public Instance instance(int index) {
    return owners[index];
  }

  @Override
  public void reset() {
    Arrays.fill(references, NULL);
    Arrays.fill(owners, null);
    Arrays.fill(entries, null);
  }
}
