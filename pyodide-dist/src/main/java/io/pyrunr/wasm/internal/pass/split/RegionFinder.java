package io.pyrunr.wasm.internal.pass.split;

import io.pyrunr.wasm.internal.ir.Instr;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.Instr.Branch;
import io.pyrunr.wasm.internal.ir.Instr.BranchTable;
import io.pyrunr.wasm.internal.ir.Instr.CatchClause;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.IrFunction;
import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.ir.Opcodes;
import io.pyrunr.wasm.internal.ir.ValueType;
import io.pyrunr.wasm.internal.pass.stack.StackHeight;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds the region of a function whose outlining shortens it most. */
final class RegionFinder {
  /** Estimated bytes that one way out, or one value handed over, costs in the caller. */
  private static final int EXIT_COST = 24;

  private static final int VALUE_COST = 10;
  private static final int CALL_COST = 20;
  private static final int MOST_PARAMETERS = 90;

  private final IrFunction function;
  private final Liveness liveness;
  private final StackHeight heights;
  private final Registers registers;
  private final Set<BranchTable> pinned;
  private final int largest;
  private final int smallest;
  private final Map<Instr, Region.Summary> summaries = new IdentityHashMap<>();
  private final Map<List<Instr>, Region> bestOfList = new IdentityHashMap<>();
  private final Map<List<Instr>, Boolean> searched = new IdentityHashMap<>();

  /**
   * Makes a finder.
   *
   * @param pinned tables that must stay in the function itself
   * @param smallest regions below this size are not worth a call
   * @param largest regions above this size would be too large themselves
   */
  RegionFinder(
      IrModule module,
      IrFunction function,
      Liveness liveness,
      Registers registers,
      Set<BranchTable> pinned,
      int smallest,
      int largest) {
    this.registers = registers;
    this.pinned = pinned;
    this.function = function;
    this.liveness = liveness;
    this.heights = new StackHeight(module);
    this.smallest = smallest;
    this.largest = largest;
  }

  /** The best region of the function as it is now, or null if none is worth it. */
  Region best() {
    return bestIn(function.body());
  }

  private Region bestIn(Block block) {
    if (block.atomic) {
      return null;
    }
    Region best = null;
    for (List<Instr> list : block.bodies) {
      if (!searched.containsKey(list)) {
        bestOfList.put(list, search(list, block));
        searched.put(list, true);
      }
      best = better(best, bestOfList.get(list));
      for (Instr instr : list) {
        if (instr instanceof Block inner && summary(inner, null).size > smallest) {
          best = better(best, bestIn(inner));
        }
      }
    }
    return best;
  }

  private Region better(Region a, Region b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return score(b) > score(a) ? b : a;
  }

  /** Forgets what was known of the lists that contain {@code list}, which has changed. */
  void changed(List<Instr> list) {
    forget(function.body(), list);
  }

  private boolean forget(Block block, List<Instr> changed) {
    for (List<Instr> list : block.bodies) {
      boolean here = list == changed;
      for (Instr instr : list) {
        if (here) {
          break;
        }
        here = instr instanceof Block inner && forget(inner, changed);
      }
      if (here) {
        searched.remove(list);
        summaries.remove(block);
        return true;
      }
    }
    return false;
  }

  private Region search(List<Instr> list, Block owner) {
    boolean[] cut = heights.isEmpty(list, owner.type.params().size());
    int[] sizes = new int[list.size()];
    for (int i = 0; i < sizes.length; i++) {
      Region.Summary sum = summary(list.get(i), i + 1 < sizes.length ? list.get(i + 1) : null);
      sizes[i] = sum.pinned ? largest + 1 : sum.size;
    }
    Region best = null;
    int to = 0;
    int size = 0;
    for (int from = 0; from < list.size(); from++) {
      to = Math.max(to, from);
      while (to < list.size() && size + sizes[to] <= largest) {
        size += sizes[to++];
      }
      if (cut[from] && size >= smallest) {
        best = better(best, longestLegal(list, from, to, size, cut, sizes));
      }
      if (to > from) {
        size -= sizes[from];
      }
    }
    return best == null || score(best) <= 0 ? null : best;
  }

  /**
   * The region from {@code from} up to the last cut before {@code to}; where that is no legal one,
   * one about half as large, and so on. Null if there is none.
   */
  private Region longestLegal(
      List<Instr> list, int from, int to, int size, boolean[] cut, int[] sizes) {
    int end = to;
    int rest = size;
    for (int wanted = size; wanted >= smallest; wanted /= 2) {
      while (end > from && (rest > wanted || !cut[end])) {
        rest -= sizes[--end];
      }
      if (end == from || rest < smallest) {
        return null;
      }
      if (from == 0 && end == list.size() && isWholeBody(list)) {
        continue; // would be the function again
      }
      Region region = region(list, from, end);
      if (isLegal(region)) {
        return region;
      }
    }
    return null;
  }

  private boolean isWholeBody(List<Instr> list) {
    return list == function.body().body();
  }

  /**
   * The region from {@code first} to the last cut of its list, whether or not it can be one; null
   * if the function does not contain the block.
   */
  Region startingWith(Block first) {
    return startingWith(first, function.body());
  }

  private Region startingWith(Block first, Block in) {
    for (List<Instr> list : in.bodies) {
      int at = list.indexOf(first);
      if (at >= 0) {
        boolean[] cut = heights.isEmpty(list, in.type.params().size());
        int to = list.size();
        while (!cut[to]) {
          to--;
        }
        return region(list, at, to);
      }
      for (Instr instr : list) {
        Region found = instr instanceof Block inner ? startingWith(first, inner) : null;
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  private Region region(List<Instr> list, int from, int to) {
    Region.Summary sum = new Region.Summary();
    for (int i = from; i < to; i++) {
      sum.add(summary(list.get(i), i + 1 < list.size() ? list.get(i + 1) : null));
    }
    return new Region(
        list, from, to, sum.size, sum.uses, sum.defs, sum.exits, sum.returns, sum.pinned);
  }

  boolean isLegal(Region region) {
    if (region.pinned()) {
      return false;
    }
    if (region.defs().intersects(liveness.inHandlers(region.list()))) {
      return false; // an exception would lose what the region wrote
    }
    if (region.returns() > 0 && function.type().results().size() > 1) {
      return false;
    }
    for (Block exit : region.exits().keySet()) {
      if (exit.labelTypes().size() > 1) {
        return false;
      }
    }
    Interface shape = Interface.of(region, liveness);
    return shape.params().cardinality() <= MOST_PARAMETERS && fitsRegisters(shape.results());
  }

  private boolean fitsRegisters(BitSet locals) {
    Map<ValueType, Integer> counts = new java.util.EnumMap<>(ValueType.class);
    for (int local = locals.nextSetBit(0); local >= 0; local = locals.nextSetBit(local + 1)) {
      ValueType type = function.locals().get(local);
      if (counts.merge(type, 1, Integer::sum) > Registers.capacity(type)) {
        return false;
      }
    }
    return true;
  }

  private int score(Region region) {
    Interface shape = Interface.of(region, liveness);
    return region.size()
        - CALL_COST
        - EXIT_COST * region.waysOut()
        - VALUE_COST * (shape.params().cardinality() + shape.results().cardinality());
  }

  private Region.Summary summary(Instr instr, Instr next) {
    if (instr instanceof Block) {
      Region.Summary known = summaries.get(instr);
      if (known != null) {
        return known;
      }
    }
    Region.Summary sum = new Region.Summary();
    if (instr instanceof Op op) {
      switch (op.opcode()) {
        case Opcodes.LOCAL_GET -> sum.uses.set(op.index());
        case Opcodes.LOCAL_SET, Opcodes.LOCAL_TEE -> sum.defs.set(op.index());
        case Opcodes.RETURN -> sum.returns = 1;
        // The end of a part: what it wrote would be overwritten by the end of its own part.
        case Opcodes.GLOBAL_SET -> sum.pinned = registers.contains(op.index());
        default -> {}
      }
      sum.size = BytecodeSize.of(instr, next);
    } else if (instr instanceof Branch branch) {
      sum.exits.put(branch.target, 1);
      sum.size = BytecodeSize.of(instr, next);
    } else if (instr instanceof BranchTable table) {
      table.targets.forEach(target -> sum.exits.merge(target, 1, Integer::sum));
      sum.size = BytecodeSize.of(instr, next);
      sum.pinned = pinned.contains(table);
    } else {
      Block block = (Block) instr;
      for (List<Instr> list : block.bodies) {
        for (int i = 0; i < list.size(); i++) {
          sum.add(summary(list.get(i), i + 1 < list.size() ? list.get(i + 1) : null));
        }
      }
      for (CatchClause clause : block.catches) {
        sum.exits.merge(clause.target, 1, Integer::sum);
      }
      sum.exits.remove(block);
      sum.size += BytecodeSize.of(new Block(block.opcode(), block.type), next);
      summaries.put(block, sum);
    }
    return sum;
  }
}
