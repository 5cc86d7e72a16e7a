package io.pyrunr.wasm.internal.pass.link;

import static io.pyrunr.wasm.internal.ir.Opcodes.GLOBAL_GET;
import static io.pyrunr.wasm.internal.ir.Opcodes.GLOBAL_SET;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_ADD;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_CONST;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_SUB;
import static io.pyrunr.wasm.internal.ir.Opcodes.LOCAL_GET;
import static io.pyrunr.wasm.internal.ir.Opcodes.LOCAL_SET;
import static io.pyrunr.wasm.internal.ir.Opcodes.LOCAL_TEE;

import io.pyrunr.wasm.format.WasmFormatException;
import io.pyrunr.wasm.internal.ir.Instr;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.IrFunction;
import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.ir.IrModule.DataSegment;
import io.pyrunr.wasm.internal.ir.IrModule.ElementSegment;
import io.pyrunr.wasm.internal.ir.IrModule.Export;
import io.pyrunr.wasm.internal.ir.IrModule.Global;
import io.pyrunr.wasm.internal.ir.IrModule.Import;
import io.pyrunr.wasm.internal.ir.IrModule.Kind;
import io.pyrunr.wasm.internal.pass.FunctionPass;
import io.pyrunr.wasm.internal.pass.InstrVisitor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Puts the values that linking decided ({@link MainLayout}) in place of the imported globals that
 * carry them, and removes those imports.
 *
 * <p>Compilers keep {@code __memory_base} in a local and add to it at each use, so a local that is
 * set once, to a constant, is replaced too, and additions of constants are carried out.
 */
public final class LinkTimeConstants implements FunctionPass {
  private final IrModule module;
  private final Map<Integer, Integer> constants;
  private final Map<Integer, Integer> internal;
  private final int[] newIndex;

  public LinkTimeConstants(IrModule module, MainLayout link) {
    this.module = module;
    this.constants = link.constants();
    this.internal = link.internalConstants();
    this.newIndex = new int[module.importedGlobalCount() + module.globals().size()];
    int next = 0;
    for (int i = 0; i < newIndex.length; i++) {
      newIndex[i] = constants.containsKey(i) ? -1 : next++;
    }
  }

  /** Removes the imports. To be called once, when every function has been through the pass. */
  public void finish() {
    module.globals().replaceAll(g -> new Global(g.type(), g.mutable(), fold(g.init())));
    module.elements().replaceAll(e -> new ElementSegment(fold(e.offset()), e.functions()));
    module
        .data()
        .replaceAll(d -> new DataSegment(d.offset() == null ? null : fold(d.offset()), d.bytes()));
    module
        .exports()
        .replaceAll(
            e -> e.kind() == Kind.GLOBAL ? new Export(e.name(), e.kind(), newIndex[e.index()]) : e);
    List<Import> kept = new ArrayList<>();
    int global = 0;
    for (Import entry : module.imports()) {
      if (entry.kind() != Kind.GLOBAL || newIndex[global++] >= 0) {
        kept.add(entry);
      }
    }
    module.setImports(kept);
  }

  private List<Op> fold(List<Op> expression) {
    List<Op> out = new ArrayList<>();
    for (Instr instr : foldList(new ArrayList<>(expression))) {
      out.add((Op) instr);
    }
    return out;
  }

  @Override
  public void apply(IrFunction function) {
    Block body = function.body();
    body.bodies.replaceAll(this::foldList);
    if (replaceLocals(function)) {
      body.bodies.replaceAll(this::foldSums);
    }
  }

  // ---------------------------------------------------------------- globals

  private List<Instr> foldList(List<Instr> list) {
    List<Instr> out = new ArrayList<>(list.size());
    for (Instr instr : list) {
      if (instr instanceof Op op && op.opcode() == GLOBAL_GET) {
        Integer value = constants.getOrDefault(op.index(), internal.get(op.index()));
        out.add(
            value == null ? new Op(GLOBAL_GET, newIndex[op.index()]) : new Op(I32_CONST, value));
      } else if (instr instanceof Op op && op.opcode() == GLOBAL_SET) {
        if (constants.containsKey(op.index())) {
          throw new WasmFormatException("global " + op.index() + " is set by the module");
        }
        out.add(new Op(GLOBAL_SET, newIndex[op.index()]));
      } else {
        if (instr instanceof Block block) {
          block.bodies.replaceAll(this::foldList);
        }
        addFolding(out, instr);
      }
    }
    return out;
  }

  private List<Instr> foldSums(List<Instr> list) {
    List<Instr> out = new ArrayList<>(list.size());
    for (Instr instr : list) {
      if (instr instanceof Block block) {
        block.bodies.replaceAll(this::foldSums);
      }
      addFolding(out, instr);
    }
    return out;
  }

  private static void addFolding(List<Instr> out, Instr instr) {
    int size = out.size();
    if (size >= 2
        && (instr.opcode() == I32_ADD || instr.opcode() == I32_SUB)
        && out.get(size - 1) instanceof Op right
        && out.get(size - 2) instanceof Op left
        && right.opcode() == I32_CONST
        && left.opcode() == I32_CONST) {
      int sum =
          instr.opcode() == I32_ADD ? left.index() + right.index() : left.index() - right.index();
      out.remove(size - 1);
      out.set(size - 2, new Op(I32_CONST, sum));
    } else {
      out.add(instr);
    }
  }

  // ---------------------------------------------------------------- locals

  private boolean replaceLocals(IrFunction function) {
    int count = function.locals().size();
    int[] sets = new int[count];
    int[] gets = new int[count];
    InstrVisitor.forEach(
        function.body().body(),
        instr -> {
          if (instr instanceof Op op) {
            switch (op.opcode()) {
              case LOCAL_GET -> gets[op.index()]++;
              case LOCAL_SET, LOCAL_TEE -> sets[op.index()]++;
              default -> {}
            }
          }
        });
    for (int i = 0; i < function.type().params().size(); i++) {
      sets[i]++; // by the caller
    }
    return replaceIn(function.body().body(), sets, gets);
  }

  /**
   * Replaces locals whose only assignment stands in this list or deeper and is followed, in its own
   * list, by all their uses: then the assignment comes before each of them on every path.
   */
  private static boolean replaceIn(List<Instr> list, int[] sets, int[] gets) {
    boolean changed = false;
    for (int i = 0; i < list.size(); i++) {
      Instr instr = list.get(i);
      if (instr instanceof Block block) {
        for (List<Instr> body : block.bodies) {
          changed |= replaceIn(body, sets, gets);
        }
      }
      if (i == 0
          || !(instr instanceof Op set)
          || (set.opcode() != LOCAL_SET && set.opcode() != LOCAL_TEE)
          || sets[set.index()] != 1
          || !(list.get(i - 1) instanceof Op constant)
          || constant.opcode() != I32_CONST) {
        continue;
      }
      List<Instr> after = list.subList(i + 1, list.size());
      int[] seen = new int[1];
      InstrVisitor.forEach(after, use -> seen[0] += isGet(use, set.index()) ? 1 : 0);
      if (seen[0] != gets[set.index()]) {
        continue;
      }
      substitute(after, set.index(), constant);
      list.remove(i--);
      if (set.opcode() == LOCAL_SET) {
        list.remove(i--);
      }
      changed = true;
    }
    return changed;
  }

  private static boolean isGet(Instr instr, int local) {
    return instr instanceof Op op && op.opcode() == LOCAL_GET && op.index() == local;
  }

  private static void substitute(List<Instr> list, int local, Op constant) {
    list.replaceAll(instr -> isGet(instr, local) ? constant : instr);
    for (Instr instr : list) {
      if (instr instanceof Block block) {
        block.bodies.forEach(body -> substitute(body, local, constant));
      }
    }
  }
}
