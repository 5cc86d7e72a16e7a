package io.pyrunr.wasm.internal.ir;

import java.util.List;

/** Parameter and result types of a function or block. */
public record FuncType(List<ValueType> params, List<ValueType> results) {

  /** Nothing in, nothing out. */
  public static final FuncType VOID = new FuncType(List.of(), List.of());

  public FuncType {
    params = List.copyOf(params);
    results = List.copyOf(results);
  }
}
