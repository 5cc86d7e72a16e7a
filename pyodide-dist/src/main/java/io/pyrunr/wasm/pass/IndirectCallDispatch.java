package io.pyrunr.wasm.pass;

import static io.pyrunr.wasm.ir.Opcodes.CALL;
import static io.pyrunr.wasm.ir.Opcodes.CALL_INDIRECT;
import static io.pyrunr.wasm.ir.Opcodes.LOCAL_GET;

import io.pyrunr.wasm.ir.FuncType;
import io.pyrunr.wasm.ir.Instr;
import io.pyrunr.wasm.ir.Instr.Block;
import io.pyrunr.wasm.ir.Instr.Op;
import io.pyrunr.wasm.ir.IrFunction;
import io.pyrunr.wasm.ir.IrModule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Sends indirect calls of populous types through a {@link TableDispatch}. Chicory compiles {@code
 * call_indirect} to one switch over all functions of the type, a method that is too large for the
 * JIT compiler where there are hundreds of them.
 *
 * <p>The fallback is the original {@code call_indirect}, so entries added to the table later, and
 * calls that must trap, behave as before. The static part of the table must not change at run time.
 */
public final class IndirectCallDispatch implements FunctionPass {
  /** From this many functions of a type on. A switch over fewer stays below 2 KB. */
  private static final int POPULOUS = 48;

  private final IrModule module;
  private final Map<FuncType, Integer> dispatchers = new HashMap<>();

  /** Adds the dispatchers; to be made when the module's element segments are final. */
  public IndirectCallDispatch(IrModule module) {
    this.module = module;
    Map<FuncType, Integer> population = new HashMap<>();
    for (int i = 0; i < module.functionCount(); i++) {
      population.merge(module.functionType(i), 1, Integer::sum);
    }
    Map<FuncType, SortedMap<Integer, Integer>> byType = new HashMap<>();
    StaticTable.of(module)
        .forEach(
            (entry, function) ->
                byType
                    .computeIfAbsent(module.functionType(function), type -> new TreeMap<>())
                    .put(entry, function));
    TableDispatch dispatch = new TableDispatch(module);
    for (FuncType type : List.copyOf(module.types())) { // in order: output must be reproducible
      if (population.getOrDefault(type, 0) >= POPULOUS
          && byType.containsKey(type)
          && !dispatchers.containsKey(type)) {
        dispatchers.put(type, dispatch.add(type, byType.get(type), fallback(type)));
      }
    }
  }

  private List<Instr> fallback(FuncType type) {
    List<Instr> code = new ArrayList<>();
    for (int i = 0; i <= type.params().size(); i++) {
      code.add(new Op(LOCAL_GET, i));
    }
    code.add(new Op(CALL_INDIRECT, module.typeIndex(type), 0));
    return code;
  }

  @Override
  public void apply(IrFunction function) {
    rewrite(function.body().body());
  }

  private void rewrite(List<Instr> list) {
    for (int i = 0; i < list.size(); i++) {
      Instr instr = list.get(i);
      if (instr instanceof Block block) {
        block.bodies.forEach(this::rewrite);
      } else if (instr instanceof Op op && op.opcode() == CALL_INDIRECT && op.b == 0) {
        Integer dispatcher = dispatchers.get(module.type(op.index()));
        if (dispatcher != null) {
          list.set(i, new Op(CALL, dispatcher));
        }
      }
    }
  }
}
