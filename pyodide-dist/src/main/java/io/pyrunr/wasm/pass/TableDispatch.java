package io.pyrunr.wasm.pass;

import static io.pyrunr.wasm.ir.Opcodes.BLOCK;
import static io.pyrunr.wasm.ir.Opcodes.CALL;
import static io.pyrunr.wasm.ir.Opcodes.I32_AND;
import static io.pyrunr.wasm.ir.Opcodes.I32_CONST;
import static io.pyrunr.wasm.ir.Opcodes.I32_SHR_U;
import static io.pyrunr.wasm.ir.Opcodes.LOCAL_GET;
import static io.pyrunr.wasm.ir.Opcodes.RETURN;

import io.pyrunr.wasm.ir.FuncType;
import io.pyrunr.wasm.ir.Instr;
import io.pyrunr.wasm.ir.Instr.Block;
import io.pyrunr.wasm.ir.Instr.BranchTable;
import io.pyrunr.wasm.ir.Instr.Op;
import io.pyrunr.wasm.ir.IrFunction;
import io.pyrunr.wasm.ir.IrModule;
import io.pyrunr.wasm.ir.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Makes functions that call an entry of the table's static part by number: two switches, the first
 * over groups of 64 entries, the second over the entries of a group, each small enough for the JIT
 * compiler. Entries that are not known go to a fallback.
 */
final class TableDispatch {
  private static final int GROUP_BITS = 6;

  private final IrModule module;

  TableDispatch(IrModule module) {
    this.module = module;
  }

  /**
   * Adds a dispatching function.
   *
   * @param type of the calls; the function takes the table index as one more, last parameter
   * @param functions by table index; each takes the first of the parameters, as many as its type
   *     has
   * @param fallback what to do with any other index, given the parameters as locals
   * @return index of the function
   */
  int add(FuncType type, SortedMap<Integer, Integer> functions, List<Instr> fallback) {
    List<ValueType> params = new ArrayList<>(type.params());
    params.add(ValueType.I32);
    FuncType indexed = new FuncType(params, type.results());
    int index = params.size() - 1;

    SortedMap<Integer, SortedMap<Integer, Integer>> groups = new TreeMap<>();
    functions.forEach(
        (entry, function) ->
            groups
                .computeIfAbsent(entry >> GROUP_BITS, group -> new TreeMap<>())
                .put(entry & ((1 << GROUP_BITS) - 1), function));
    int dispatcher = module.addFunction(indexed);
    SortedMap<Integer, Integer> groupFunctions = new TreeMap<>();
    for (Map.Entry<Integer, SortedMap<Integer, Integer>> group : groups.entrySet()) {
      int function = module.addFunction(indexed);
      List<Instr> selector =
          List.of(
              new Op(LOCAL_GET, index), new Op(I32_CONST, (1 << GROUP_BITS) - 1), new Op(I32_AND));
      define(function, selector, group.getValue(), fallback);
      groupFunctions.put(group.getKey(), function);
    }
    List<Instr> selector =
        List.of(new Op(LOCAL_GET, index), new Op(I32_CONST, GROUP_BITS), new Op(I32_SHR_U));
    define(dispatcher, selector, groupFunctions, fallback);
    return dispatcher;
  }

  private void define(
      int function,
      List<Instr> selector,
      SortedMap<Integer, Integer> targets,
      List<Instr> fallback) {
    FuncType type = module.functionType(function);
    Block other = new Block(BLOCK, FuncType.VOID);
    List<Block> cases = new ArrayList<>();
    BranchTable table = new BranchTable(List.of());
    List<Instr> code = new ArrayList<>(selector);
    code.add(table);
    int next = 0;
    for (Map.Entry<Integer, Integer> target : targets.entrySet()) {
      Block block = new Block(BLOCK, FuncType.VOID, code);
      cases.add(block);
      for (; next < target.getKey(); next++) {
        table.targets.add(other);
      }
      table.targets.add(block);
      next++;
      code = new ArrayList<>();
      code.add(block);
      int arguments = module.functionType(target.getValue()).params().size();
      for (int i = 0; i < arguments; i++) {
        code.add(new Op(LOCAL_GET, i));
      }
      code.add(new Op(CALL, target.getValue()));
      code.add(new Op(RETURN));
    }
    table.targets.add(other);
    other.bodies.add(code);
    List<Instr> body = new ArrayList<>();
    body.add(other);
    body.addAll(fallback);
    module.encode(
        new IrFunction(
            function,
            module.functionTypeIndex(function),
            type,
            type.params(),
            new Block(BLOCK, new FuncType(List.of(), type.results()), body)));
  }
}
