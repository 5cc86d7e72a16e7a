package io.pyrunr.wasm.internal.pass.split;

import java.util.List;
import java.util.Map;

/**
 * Cases of a function's largest switch that run so often that they should stay in the function.
 *
 * @param indices of the switch's table, the most wanted first, by function
 * @param budget estimated bytes of bytecode they may take together
 */
public record HotCases(Map<Integer, List<Integer>> indices, int budget) {
  public static final HotCases NONE = new HotCases(Map.of(), 0);

  /** The indices for a function's table with {@code targets} targets, its default included. */
  List<Integer> of(int function, int targets) {
    return indices.getOrDefault(function, List.of()).stream()
        .filter(index -> index < targets - 1)
        .toList();
  }
}
