package io.pyrunr.wasm.pass;

import static io.pyrunr.wasm.ir.Opcodes.CALL;
import static io.pyrunr.wasm.ir.Opcodes.LOCAL_GET;

import io.pyrunr.wasm.ir.FuncType;
import io.pyrunr.wasm.ir.Instr;
import io.pyrunr.wasm.ir.Instr.Block;
import io.pyrunr.wasm.ir.Instr.Op;
import io.pyrunr.wasm.ir.IrFunction;
import io.pyrunr.wasm.ir.IrModule;
import io.pyrunr.wasm.ir.IrModule.Import;
import io.pyrunr.wasm.ir.IrModule.Kind;
import io.pyrunr.wasm.ir.ValueType;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Keeps CPython's call trampoline inside wasm. Extension functions are often declared with fewer
 * parameters than they are called with; on wasm that traps, so CPython asks the host to call {@code
 * (function, self, args, kwargs)} with as many arguments as the function takes. Every call of a
 * method without arguments or with one goes this way.
 *
 * <p>Which parameters a function of the static table takes is known here, so calls of the import
 * become calls of a {@link TableDispatch}; the import remains for the functions of side modules.
 */
public final class CallTrampoline implements FunctionPass {
  private static final String IMPORT = "_PyEM_TrampolineCall_JS";
  private static final int ARGUMENTS = 3;

  private final int trampoline;
  private final int dispatcher;

  /** Adds the dispatcher; to be made when the module's element segments are final. */
  public CallTrampoline(IrModule module) {
    trampoline = indexOf(module);
    if (trampoline < 0) {
      dispatcher = -1;
      return;
    }
    FuncType type =
        new FuncType(Collections.nCopies(ARGUMENTS, ValueType.I32), List.of(ValueType.I32));
    SortedMap<Integer, Integer> callable = new TreeMap<>();
    StaticTable.of(module)
        .forEach(
            (entry, function) -> {
              if (accepts(module.functionType(function))) {
                callable.put(entry, function);
              }
            });
    List<Instr> fallback =
        List.of(
            new Op(LOCAL_GET, ARGUMENTS),
            new Op(LOCAL_GET, 0),
            new Op(LOCAL_GET, 1),
            new Op(LOCAL_GET, 2),
            new Op(CALL, trampoline));
    int indexedLast = new TableDispatch(module).add(type, callable, fallback);
    dispatcher = indexFirst(module, indexedLast);
  }

  /** The import takes the table index first, a dispatcher takes it last. */
  private int indexFirst(IrModule module, int indexedLast) {
    FuncType type = module.functionType(trampoline);
    int function = module.addFunction(type);
    List<Instr> code =
        List.of(
            new Op(LOCAL_GET, 1),
            new Op(LOCAL_GET, 2),
            new Op(LOCAL_GET, 3),
            new Op(LOCAL_GET, 0),
            new Op(CALL, indexedLast));
    module.encode(
        new IrFunction(
            function,
            module.functionTypeIndex(function),
            type,
            type.params(),
            new Block(
                io.pyrunr.wasm.ir.Opcodes.BLOCK, new FuncType(List.of(), type.results()), code)));
    return function;
  }

  private static boolean accepts(FuncType type) {
    return type.params().size() <= ARGUMENTS
        && type.params().stream().allMatch(param -> param == ValueType.I32)
        && type.results().equals(List.of(ValueType.I32));
  }

  private static int indexOf(IrModule module) {
    List<Import> functions = module.imports(Kind.FUNCTION);
    for (int i = 0; i < functions.size(); i++) {
      if (functions.get(i).name().equals(IMPORT)) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public void apply(IrFunction function) {
    if (trampoline >= 0) {
      rewrite(function.body().body());
    }
  }

  private void rewrite(List<Instr> list) {
    for (int i = 0; i < list.size(); i++) {
      Instr instr = list.get(i);
      if (instr instanceof Block block) {
        block.bodies.forEach(this::rewrite);
      } else if (instr instanceof Op op && op.opcode() == CALL && op.index() == trampoline) {
        list.set(i, new Op(CALL, dispatcher));
      }
    }
  }
}
