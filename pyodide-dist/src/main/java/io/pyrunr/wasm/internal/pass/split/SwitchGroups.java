package io.pyrunr.wasm.internal.pass.split;

import static io.pyrunr.wasm.internal.ir.Opcodes.BLOCK;
import static io.pyrunr.wasm.internal.ir.Opcodes.BR;
import static io.pyrunr.wasm.internal.ir.Opcodes.BR_IF;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_CONST;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_SUB;
import static io.pyrunr.wasm.internal.ir.Opcodes.IF;
import static io.pyrunr.wasm.internal.ir.Opcodes.LOCAL_GET;
import static io.pyrunr.wasm.internal.ir.Opcodes.LOCAL_SET;

import io.pyrunr.wasm.internal.ir.FuncType;
import io.pyrunr.wasm.internal.ir.Instr;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.Instr.Branch;
import io.pyrunr.wasm.internal.ir.Instr.BranchTable;
import io.pyrunr.wasm.internal.ir.Instr.CatchClause;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.IrFunction;
import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.ir.ValueType;
import io.pyrunr.wasm.internal.pass.InstrVisitor;
import io.pyrunr.wasm.internal.pass.stack.StackHeight;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rearranges a large switch so that runs of neighbouring cases become regions of their own.
 *
 * <p>A switch is a {@code br_table} within nested blocks, the code of a case following the end of
 * its block. A group of the cases of {@code $b1} and {@code $b2} turns
 *
 * <pre>{@code
 * block $b2 block $b1 INNER end CASE1 end CASE2
 * }</pre>
 *
 * into
 *
 * <pre>{@code
 * block $group INNER' end                             ;; leaves $group with the entry in a local
 * block $b2 block $b1 local.get $entry br_table … end CASE1 end CASE2
 * }</pre>
 *
 * where the second line needs nothing of the first but the entry, and can be moved to a function
 * that switches again. The entry is the index that the {@code br_table} was given, for labels
 * reached through it; every other branch to a label of the group, the table's default among them,
 * sets a number of its own behind the table's indices. An index that fell off the end of the table
 * must never be handed on: the second switch is larger than the first.
 */
final class SwitchGroups {
  private static final int FEWEST_CASES = 8;

  private final IrModule module;
  private final IrFunction function;
  private final int groupSize;
  private final HotCases hot;

  /** Tables whose cases were grouped. */
  private final Set<BranchTable> tables = new LinkedHashSet<>();

  /** Blocks that already belong to a group's switch. */
  private final Set<Block> grouped = new HashSet<>();

  SwitchGroups(IrModule module, IrFunction function, int groupSize, HotCases hot) {
    this.module = module;
    this.hot = hot;
    this.function = function;
    this.groupSize = groupSize;
  }

  /**
   * Rearranges every large switch, outer ones first.
   *
   * @return of each group the outermost block of its own switch; the group's region starts there
   *     and ends with the list that holds it
   */
  List<Block> rearrange() {
    List<Block> groups = new ArrayList<>();
    for (Switch found = largest(tables); found != null; found = largest(tables)) {
      Set<Block> hoisted = hoist(found);
      groups.addAll(rearrange(hoisted.isEmpty() ? found : largest(tables), hoisted));
      tables.add(found.table);
    }
    return groups;
  }

  /** The tables that choose a group; control comes by there often, so they should stay put. */
  Set<BranchTable> tables() {
    return tables;
  }

  // ---------------------------------------------------------------- finding

  /** A block of the switch, with the list that holds it and where. */
  private record Level(Block block, List<Instr> list, int at) {
    List<Instr> prefix() {
      return list.subList(0, at);
    }

    List<Instr> caseCode() {
      return list.subList(at + 1, list.size());
    }

    int size() {
      return BytecodeSize.of(caseCode());
    }
  }

  /**
   * A switch.
   *
   * @param tableList the list that the table ends
   * @param targets the table's targets before any change
   * @param levels the nested blocks, innermost first
   */
  private record Switch(
      BranchTable table, List<Instr> tableList, List<Block> targets, List<Level> levels, int size) {
    /** Which level a block is, or -1. */
    int levelOf(Block block) {
      for (int i = 0; i < levels.size(); i++) {
        if (levels.get(i).block() == block) {
          return i;
        }
      }
      return -1;
    }

    /** The number by which other branches than the table's name a level's block. */
    int code(Block block) {
      int level = 0;
      while (levels.get(level).block() != block) {
        level++;
      }
      return targets.size() - 1 + level;
    }
  }

  private Switch largest(Set<BranchTable> except) {
    Switch[] best = new Switch[1];
    find(function.body(), List.of(), except, best);
    return best[0];
  }

  private void find(Block block, List<Level> around, Set<BranchTable> except, Switch[] best) {
    for (List<Instr> list : block.bodies) {
      boolean[] empty = null;
      for (int i = 0; i < list.size(); i++) {
        Instr instr = list.get(i);
        if (instr instanceof Block inner && !inner.atomic) {
          if (empty == null) {
            empty = new StackHeight(module).isEmpty(list, block.type.params().size());
          }
          List<Level> inside = new ArrayList<>();
          if (inner.opcode() == BLOCK
              && inner.type.equals(FuncType.VOID)
              && empty[i]
              && !grouped.contains(inner)) {
            inside.add(new Level(inner, list, i));
            inside.addAll(around);
          }
          find(inner, inside, except, best);
        } else if (instr instanceof BranchTable table && !except.contains(table)) {
          Switch found = asSwitch(table, list, around);
          if (found != null && (best[0] == null || found.size > best[0].size)) {
            best[0] = found;
          }
        }
      }
    }
  }

  /** The switch that a table makes with the blocks around it, or null if it is not a large one. */
  private Switch asSwitch(BranchTable table, List<Instr> list, List<Level> around) {
    Set<Block> targets = new HashSet<>(table.targets);
    int cases = 0;
    int levels = 0;
    for (int i = 0; i < around.size(); i++) {
      if (targets.contains(around.get(i).block())) {
        cases++;
        levels = i + 1;
      }
    }
    if (cases < FEWEST_CASES) {
      return null;
    }
    List<Level> own = List.copyOf(around.subList(0, levels));
    int size = own.stream().mapToInt(Level::size).sum();
    return size <= groupSize
        ? null
        : new Switch(table, list, List.copyOf(table.targets), own, size);
  }

  // ---------------------------------------------------------------- hot cases

  /** Moves the hot cases to the innermost places, where the table reaches them without a call. */
  private Set<Block> hoist(Switch found) {
    Set<Block> hoisted = new LinkedHashSet<>();
    int budget = hot.budget();
    Switch current = found;
    for (int index : hot.of(function.index(), found.targets.size())) {
      Block block = found.targets.get(index);
      int level = current.levelOf(block);
      if (level < 0 || hoisted.contains(block) || !canHoist(current, level)) {
        continue;
      }
      int size = current.levels.get(level).size();
      if (size > budget) {
        continue;
      }
      budget -= size;
      hoist(current, level);
      hoisted.add(block);
      current = largest(tables);
    }
    return hoisted;
  }

  /** A case can move inwards if only the code before all cases leads to it. */
  private static boolean canHoist(Switch found, int level) {
    if (level + 1 >= found.levels.size()) {
      return false;
    }
    Block block = found.levels.get(level).block();
    List<Instr> before = block.body();
    boolean reachedByFalling = before.isEmpty() || !before.get(before.size() - 1).endsControl();
    Block innermost = found.levels.get(0).block();
    return !reachedByFalling && branchesTo(block, before) == branchesTo(block, innermost.body());
  }

  private static int branchesTo(Block block, List<Instr> list) {
    int[] count = new int[1];
    InstrVisitor.forEach(
        list,
        instr -> {
          if (instr instanceof Branch branch) {
            count[0] += branch.target == block ? 1 : 0;
          } else if (instr instanceof BranchTable table) {
            count[0] += table.targets.contains(block) ? 1 : 0;
          } else if (instr instanceof Block inner) {
            inner.catches.forEach(clause -> count[0] += clause.target == block ? 1 : 0);
          }
        });
    return count[0];
  }

  private static void hoist(Switch found, int level) {
    Level moved = found.levels.get(level);
    List<Instr> cases = new ArrayList<>(moved.caseCode());
    if (cases.isEmpty() || !cases.get(cases.size() - 1).endsControl()) {
      cases.add(new Branch(BR, found.levels.get(level + 1).block())); // what it fell through to
    }
    List<Instr> outer = moved.list();
    outer.subList(moved.at(), outer.size()).clear();
    outer.addAll(moved.block().body());
    Block innermost = level == 0 ? found.levels.get(1).block() : found.levels.get(0).block();
    moved.block().bodies.set(0, new ArrayList<>(innermost.body()));
    List<Instr> body = new ArrayList<>();
    body.add(moved.block());
    body.addAll(cases);
    innermost.bodies.set(0, body);
  }

  // ---------------------------------------------------------------- rearranging

  private List<Block> rearrange(Switch found, Set<Block> hoisted) {
    int entry = function.addLocal(ValueType.I32);
    // The entry is the table's index from here on.
    List<Instr> list = found.tableList;
    list.add(list.size() - 1, new Op(LOCAL_SET, entry));
    list.add(list.size() - 1, new Op(LOCAL_GET, entry));

    int[] sizes = found.levels.stream().mapToInt(Level::size).toArray();
    List<Block> groups = new ArrayList<>();
    int first = 0;
    while (first < sizes.length && hoisted.contains(found.levels.get(first).block())) {
      first++;
    }
    for (int from = first, to; from < sizes.length; from = to + 1) {
      to = from;
      int size = sizes[from];
      while (to + 1 < sizes.length && size + sizes[to + 1] <= groupSize) {
        size += sizes[++to];
      }
      if (size <= groupSize * 3 / 2 && size > groupSize / 8) {
        new Grouping(found, from, to, entry).make();
        groups.add(found.levels.get(to).block());
      }
    }
    return groups;
  }

  /** Makes one group of the levels {@code from} to {@code to}. */
  private final class Grouping {
    private final Switch found;
    private final int from;
    private final int to;
    private final int entry;
    private final Set<Block> members = new LinkedHashSet<>();

    /** Numbers of members that are branched to otherwise than through the table. */
    private final Set<Block> jumpedTo = new LinkedHashSet<>();

    private final Block group = new Block(BLOCK, FuncType.VOID);

    Grouping(Switch found, int from, int to, int entry) {
      this.found = found;
      this.from = from;
      this.to = to;
      this.entry = entry;
      for (int i = from; i <= to; i++) {
        members.add(found.levels.get(i).block());
      }
      grouped.addAll(members);
    }

    void make() {
      Block innermost = found.levels.get(from).block();
      List<Instr> inner = new ArrayList<>();
      for (int i = to - 1; i >= from; i--) {
        inner.addAll(found.levels.get(i).prefix());
      }
      inner.addAll(innermost.body());
      boolean falls = inner.isEmpty() || !inner.get(inner.size() - 1).endsControl();
      List<Instr> redirected = redirect(inner);
      if (falls) {
        jump(innermost, redirected);
      }
      group.bodies.add(redirected);

      innermost.bodies.set(0, switchAgain());
      for (int i = from; i < to; i++) {
        Level level = found.levels.get(i);
        List<Instr> cases = new ArrayList<>();
        cases.add(level.block());
        cases.addAll(level.caseCode());
        found.levels.get(i + 1).block().bodies.set(0, cases);
      }
      Level outermost = found.levels.get(to);
      outermost.list().add(outermost.list().indexOf(outermost.block()), group);
    }

    private List<Instr> switchAgain() {
      List<Integer> entries = new ArrayList<>();
      List<Block> blocks = new ArrayList<>();
      for (int i = 0; i < found.targets.size() - 1; i++) {
        if (members.contains(found.targets.get(i))) {
          entries.add(i);
          blocks.add(found.targets.get(i));
        }
      }
      for (Block block : members) {
        if (jumpedTo.contains(block)) {
          entries.add(found.code(block));
          blocks.add(block);
        }
      }
      Block other = found.levels.get(to).block(); // never taken, but a table needs a default
      if (entries.isEmpty()) {
        return new ArrayList<>(List.of(new Branch(BR, other)));
      }
      int lowest = entries.get(0);
      List<Block> targets = new ArrayList<>();
      for (int i = 0; i < entries.size(); i++) {
        while (targets.size() < entries.get(i) - lowest) {
          targets.add(other);
        }
        targets.add(blocks.get(i));
      }
      targets.add(other);
      List<Instr> code = new ArrayList<>();
      code.add(new Op(LOCAL_GET, entry));
      if (lowest > 0) {
        code.add(new Op(I32_CONST, lowest));
        code.add(new Op(I32_SUB));
      }
      code.add(new BranchTable(targets));
      return code;
    }

    /** Sets the entry to a member's number and leaves for the group's switch. */
    private void jump(Block member, List<Instr> out) {
      jumpedTo.add(member);
      out.add(new Op(I32_CONST, found.code(member)));
      out.add(new Op(LOCAL_SET, entry));
      out.add(new Branch(BR, group));
    }

    private List<Instr> redirect(List<Instr> list) {
      List<Instr> out = new ArrayList<>(list.size());
      for (Instr instr : list) {
        if (instr instanceof Branch branch && members.contains(branch.target)) {
          if (branch.opcode() == BR_IF) {
            List<Instr> then = new ArrayList<>();
            jump(branch.target, then);
            out.add(new Block(IF, FuncType.VOID, then));
          } else {
            jump(branch.target, out);
          }
        } else if (instr instanceof BranchTable table) {
          redirect(table, out);
        } else if (instr instanceof Block block) {
          block.bodies.replaceAll(this::redirect);
          redirectClauses(block, out);
        } else {
          out.add(instr);
        }
      }
      return out;
    }

    private void redirect(BranchTable table, List<Instr> out) {
      List<Block> targets = table.targets;
      if (table == found.table) {
        for (int i = 0; i < targets.size() - 1; i++) {
          if (members.contains(targets.get(i))) {
            targets.set(i, group);
          }
        }
      }
      Map<Block, Block> stubs = new LinkedHashMap<>();
      for (Block target : targets) {
        if (members.contains(target)) {
          stubs.computeIfAbsent(target, member -> new Block(BLOCK, FuncType.VOID));
        }
      }
      if (stubs.isEmpty()) {
        out.add(table);
        return;
      }
      targets.replaceAll(target -> stubs.getOrDefault(target, target));
      int index = table == found.table ? entry : function.addLocal(ValueType.I32);
      out.add(new Op(LOCAL_SET, index));
      List<Instr> code = new ArrayList<>();
      code.add(new Op(LOCAL_GET, index));
      code.add(table);
      out.addAll(behindStubs(stubs, code));
    }

    /** A handler in the group is reached from its clause by way of a block outside the try. */
    private void redirectClauses(Block block, List<Instr> out) {
      Map<Block, Block> stubs = new LinkedHashMap<>();
      for (CatchClause clause : block.catches) {
        if (members.contains(clause.target)) {
          clause.target =
              stubs.computeIfAbsent(clause.target, member -> new Block(BLOCK, FuncType.VOID));
        }
      }
      if (stubs.isEmpty()) {
        out.add(block);
        return;
      }
      Block done = new Block(BLOCK, new FuncType(List.of(), block.type.results()));
      List<Instr> code = new ArrayList<>();
      code.add(block);
      code.add(new Branch(BR, done));
      done.bodies.add(behindStubs(stubs, code));
      out.add(done);
    }

    private List<Instr> behindStubs(Map<Block, Block> stubs, List<Instr> code) {
      List<Instr> inner = code;
      for (Map.Entry<Block, Block> stub : stubs.entrySet()) {
        stub.getValue().bodies.add(inner);
        inner = new ArrayList<>();
        inner.add(stub.getValue());
        jump(stub.getKey(), inner);
      }
      return inner;
    }
  }
}
