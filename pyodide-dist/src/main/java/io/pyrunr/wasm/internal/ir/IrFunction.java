package io.pyrunr.wasm.internal.ir;

import java.util.ArrayList;
import java.util.List;

/** A function with its body as a tree. */
public final class IrFunction {
  private final int index;
  private final int typeIndex;
  private final FuncType type;
  private final List<ValueType> locals;
  private Instr.Block body;

  /**
   * Makes a function.
   *
   * @param index in the module's function index space
   * @param locals parameters first
   */
  public IrFunction(
      int index, int typeIndex, FuncType type, List<ValueType> locals, Instr.Block body) {
    this.index = index;
    this.typeIndex = typeIndex;
    this.type = type;
    this.locals = new ArrayList<>(locals);
    this.body = body;
  }

  public int index() {
    return index;
  }

  public int typeIndex() {
    return typeIndex;
  }

  public FuncType type() {
    return type;
  }

  /** Types of all locals, parameters first. */
  public List<ValueType> locals() {
    return locals;
  }

  public int addLocal(ValueType localType) {
    locals.add(localType);
    return locals.size() - 1;
  }

  /** The body as a block whose label is the function's own. */
  public Instr.Block body() {
    return body;
  }

  public void setBody(Instr.Block newBody) {
    body = newBody;
  }
}
