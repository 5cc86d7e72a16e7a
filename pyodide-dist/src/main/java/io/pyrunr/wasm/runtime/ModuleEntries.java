package io.pyrunr.wasm.runtime;

import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.wasm.ChicoryException;

/**
 * Makes the table entries of one compiled module. Its generated subclass knows which functions may
 * stand in a table: those of element segments and those that are exported.
 */
public abstract class ModuleEntries {
  /** What is appended to a machine's class name to name its {@code ModuleEntries}. */
  public static final String SUFFIX = "Entries";

  private static final ClassValue<ModuleEntries> BY_MACHINE =
      new ClassValue<>() {
        @Override
        protected ModuleEntries computeValue(Class<?> machine) {
          String name = machine.getName() + SUFFIX;
          try {
            return (ModuleEntries)
                Class.forName(name, true, machine.getClassLoader())
                    .getDeclaredConstructor()
                    .newInstance();
          } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                machine.getName() + " was not compiled with its table entries", e);
          }
        }
      };

  private final char[] chunks;
  private final char[] slots;

  /**
   * Decodes what the compiler found.
   *
   * @param encoded two characters for each function: 0, or the number of its class plus 1; and its
   *     slot in that class
   */
  protected ModuleEntries(String[] encoded) {
    String all = String.join("", encoded);
    chunks = new char[all.length() / 2];
    slots = new char[chunks.length];
    for (int i = 0; i < chunks.length; i++) {
      chunks[i] = all.charAt(2 * i);
      slots[i] = all.charAt(2 * i + 1);
    }
  }

  /** The entries of the module that {@code instance} is one of. */
  static ModuleEntries of(Instance instance) {
    return BY_MACHINE.get(instance.getMachine().getClass());
  }

  TableEntry entry(Instance instance, int function) {
    if (function < 0 || function >= chunks.length || chunks[function] == 0) {
      throw new ChicoryException("function " + function + " was never meant for a table");
    }
    return make(chunks[function] - 1, instance, function, slots[function]);
  }

  /** Makes an entry of the generated class number {@code chunk}. */
  protected abstract TableEntry make(int chunk, Instance instance, int function, int slot);
}
