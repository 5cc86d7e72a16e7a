package io.pyrunr.wasm.runtime;

import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.wasm.ChicoryException;

/**
 * A function as the table holds it: what {@code call_indirect} calls.
 *
 * <p>Each function type has one abstract subclass, generated under a name that spells the type (see
 * {@code io.pyrunr.wasm.types.Signature}), with a method {@code call} of that type; modules extend
 * it. So the check that an indirect call is of the right type is a cast, it is structural, and it
 * holds across modules: they need no common numbering of types.
 */
public abstract class TableEntry {
  private static final long[] NOTHING = {};

  protected final Instance instance;
  protected final int function;

  /** Which case of the generated class this is. */
  protected final int slot;

  protected TableEntry(Instance instance, int function, int slot) {
    this.instance = instance;
    this.function = function;
    this.slot = slot;
  }

  /** How many parameters the function has. */
  public abstract int parameterCount();

  /**
   * Calls the function with raw wasm values, {@link #parameterCount} of them.
   *
   * @return its results
   */
  public abstract long[] apply(long[] arguments, LinearMemory memory);

  /**
   * Calls a C function with as many of three arguments as it takes, as JavaScript would: what it
   * takes beyond is 0, and so is the result of one that has none. Overridden for functions of i32.
   */
  public int trampoline(int a, int b, int c, LinearMemory memory) {
    throw new ChicoryException("indirect call type mismatch: not a function of integers");
  }

  /** Whether the table keeps this object for its index, or asks for it again at the next call. */
  public boolean keepable() {
    return true;
  }

  /** What a function without results returns. */
  protected static long[] nothing() {
    return NOTHING;
  }
}
