package io.pyrunr.wasm.internal.pass.split;

import io.pyrunr.wasm.internal.ir.Instr;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.Instr.Branch;
import io.pyrunr.wasm.internal.ir.Instr.BranchTable;
import io.pyrunr.wasm.internal.ir.Instr.CatchClause;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.IrFunction;
import io.pyrunr.wasm.internal.ir.Opcodes;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which locals may still be read, at every label and between all instructions of a function. A
 * handler counts as reachable from everywhere in its {@code try_table}.
 */
final class Liveness {
  private static final BitSet NONE = new BitSet();

  private final Map<Block, BitSet> atLabel = new IdentityHashMap<>();
  private final Map<List<Instr>, BitSet[]> before = new IdentityHashMap<>();
  private final Map<List<Instr>, BitSet> inHandlers = new IdentityHashMap<>();
  private boolean changed;
  private boolean recording;

  Liveness(IrFunction function) {
    Block body = function.body();
    atLabel.put(body, NONE);
    do {
      changed = false;
      flow(body.body(), NONE, NONE);
    } while (changed);
    recording = true;
    flow(body.body(), NONE, NONE);
  }

  /** Live when control arrives at the label by a branch. */
  BitSet atLabel(Block label) {
    return atLabel.get(label);
  }

  /** Live before instruction {@code index} of {@code list}, or after the last one. */
  BitSet before(List<Instr> list, int index) {
    return before.get(list)[index];
  }

  /** Live in handlers that an exception thrown in {@code list} can reach within the function. */
  BitSet inHandlers(List<Instr> list) {
    return inHandlers.get(list);
  }

  /** Notes that instructions {@code from} to {@code to} were replaced by {@code count} others. */
  void replaced(List<Instr> list, int from, int to, int count) {
    BitSet[] old = before.get(list);
    BitSet[] sets = new BitSet[old.length - (to - from) + count];
    System.arraycopy(old, 0, sets, 0, from + 1);
    // A cut is never made between the new instructions; what stands there is what lives after them.
    for (int i = from + 1; i < from + count; i++) {
      sets[i] = old[to];
    }
    System.arraycopy(old, to, sets, from + count, old.length - to);
    before.put(list, sets);
  }

  private BitSet flow(List<Instr> list, BitSet after, BitSet handlers) {
    BitSet live = (BitSet) after.clone();
    live.or(handlers);
    BitSet[] sets = recording ? new BitSet[list.size() + 1] : null;
    if (recording) {
      before.put(list, sets);
      inHandlers.put(list, handlers);
      sets[list.size()] = (BitSet) live.clone();
    }
    for (int i = list.size() - 1; i >= 0; i--) {
      live = flow(list.get(i), live, handlers);
      live.or(handlers);
      if (recording) {
        sets[i] = (BitSet) live.clone();
      }
    }
    return live;
  }

  /** Takes {@code live} after the instruction, may change it, and returns what lives before. */
  private BitSet flow(Instr instr, BitSet live, BitSet handlers) {
    if (instr instanceof Op op) {
      switch (op.opcode()) {
        case Opcodes.LOCAL_GET -> live.set(op.index());
        case Opcodes.LOCAL_SET, Opcodes.LOCAL_TEE -> live.clear(op.index());
        case Opcodes.RETURN, Opcodes.UNREACHABLE, Opcodes.THROW -> live.clear();
        default -> {}
      }
      return live;
    }
    if (instr instanceof Branch branch) {
      if (branch.opcode() == Opcodes.BR) {
        live.clear();
      }
      live.or(atLabel.get(branch.target));
      return live;
    }
    if (instr instanceof BranchTable table) {
      live.clear();
      table.targets.forEach(target -> live.or(atLabel.get(target)));
      return live;
    }
    return flow((Block) instr, live, handlers);
  }

  private BitSet flow(Block block, BitSet live, BitSet handlers) {
    switch (block.opcode()) {
      case Opcodes.LOOP -> {
        BitSet label = atLabel.computeIfAbsent(block, loop -> new BitSet());
        BitSet in = flow(block.body(), live, handlers);
        int known = label.cardinality();
        label.or(in);
        changed |= label.cardinality() != known;
        return (BitSet) label.clone();
      }
      case Opcodes.IF -> {
        atLabel.put(block, (BitSet) live.clone());
        BitSet in = flow(block.body(), live, handlers);
        in.or(block.bodies.size() > 1 ? flow(block.bodies.get(1), live, handlers) : live);
        return in;
      }
      case Opcodes.TRY_TABLE -> {
        atLabel.put(block, (BitSet) live.clone());
        BitSet inner = (BitSet) handlers.clone();
        for (CatchClause clause : block.catches) {
          inner.or(atLabel.get(clause.target));
        }
        return flow(block.body(), live, inner);
      }
      default -> {
        atLabel.put(block, (BitSet) live.clone());
        return flow(block.body(), live, handlers);
      }
    }
  }
}
