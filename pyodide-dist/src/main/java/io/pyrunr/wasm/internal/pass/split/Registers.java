package io.pyrunr.wasm.internal.pass.split;

import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.ir.ValueType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Mutable globals through which the parts of a split function hand values back to their caller.
 * They are written right before a return and read right after it, so one set serves a whole module.
 *
 * <p>The last of each type carries the operand of a branch or return, the others carry locals.
 */
public final class Registers {
  private static final Map<ValueType, Integer> COUNT =
      new EnumMap<>(
          Map.of(ValueType.I32, 32, ValueType.I64, 48, ValueType.F32, 4, ValueType.F64, 16));

  private final Map<ValueType, List<Integer>> globals = new EnumMap<>(ValueType.class);

  /** Adds the globals to the module. */
  public Registers(IrModule module) {
    for (ValueType type : List.of(ValueType.I32, ValueType.I64, ValueType.F32, ValueType.F64)) {
      List<Integer> indices = new ArrayList<>();
      for (int i = 0; i < COUNT.get(type); i++) {
        indices.add(module.addGlobal(type));
      }
      globals.put(type, indices);
    }
  }

  /** How many locals of a type can be handed back at once; 0 for references. */
  static int capacity(ValueType type) {
    return COUNT.containsKey(type) ? COUNT.get(type) - 1 : 0;
  }

  boolean contains(int global) {
    return globals.values().stream().anyMatch(indices -> indices.contains(global));
  }

  int local(ValueType type, int number) {
    return globals.get(type).get(number);
  }

  int operand(ValueType type) {
    return globals.get(type).get(capacity(type));
  }

  /** Global indices with what they hold: a type's letter in lower case and a number, such as i3. */
  public Map<Integer, String> names() {
    Map<Integer, String> names = new TreeMap<>();
    globals.forEach(
        (type, indices) -> {
          String letter =
              switch (type) {
                case I32 -> "i";
                case I64 -> "l";
                case F32 -> "f";
                default -> "d";
              };
          for (int i = 0; i < indices.size(); i++) {
            names.put(indices.get(i), letter + i);
          }
        });
    return names;
  }
}
