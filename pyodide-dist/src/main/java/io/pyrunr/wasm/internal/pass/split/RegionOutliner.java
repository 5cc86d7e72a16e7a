package io.pyrunr.wasm.internal.pass.split;

import static io.pyrunr.wasm.internal.ir.Opcodes.BLOCK;
import static io.pyrunr.wasm.internal.ir.Opcodes.BR;
import static io.pyrunr.wasm.internal.ir.Opcodes.BR_IF;
import static io.pyrunr.wasm.internal.ir.Opcodes.CALL;
import static io.pyrunr.wasm.internal.ir.Opcodes.GLOBAL_GET;
import static io.pyrunr.wasm.internal.ir.Opcodes.GLOBAL_SET;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_CONST;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_EQ;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_EQZ;
import static io.pyrunr.wasm.internal.ir.Opcodes.IF;
import static io.pyrunr.wasm.internal.ir.Opcodes.LOCAL_GET;
import static io.pyrunr.wasm.internal.ir.Opcodes.LOCAL_SET;
import static io.pyrunr.wasm.internal.ir.Opcodes.LOCAL_TEE;
import static io.pyrunr.wasm.internal.ir.Opcodes.RETURN;
import static io.pyrunr.wasm.internal.ir.Opcodes.UNREACHABLE;

import io.pyrunr.wasm.internal.ir.FuncType;
import io.pyrunr.wasm.internal.ir.Instr;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.Instr.Branch;
import io.pyrunr.wasm.internal.ir.Instr.BranchTable;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.IrFunction;
import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.ir.ValueType;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns a region into a function of its own.
 *
 * <p>Its parameters are the locals it needs. It ends in one place per way out, where it writes the
 * locals that live there to {@link Registers} and returns the number of the way; the caller reads
 * the registers and branches on. With a single way out there is no number, and the first value is
 * the function's result.
 */
final class RegionOutliner {
  /** From this many labels on, the caller branches on with one br_table. */
  private static final int MANY = 4;

  private final IrModule module;
  private final IrFunction function;
  private final Liveness liveness;
  private final Registers registers;
  private int selector = -1;

  RegionOutliner(IrModule module, IrFunction function, Liveness liveness, Registers registers) {
    this.module = module;
    this.function = function;
    this.liveness = liveness;
    this.registers = registers;
  }

  /** One way out of a region; {@code target} null and {@code returns} false is falling through. */
  private static final class WayOut {
    final Block target;
    final boolean returns;
    final int weight;
    final BitSet live;
    final List<ValueType> operand;
    Block stub;

    WayOut(Block target, boolean returns, int weight, BitSet live, List<ValueType> operand) {
      this.target = target;
      this.returns = returns;
      this.weight = weight;
      this.live = live;
      this.operand = operand;
    }

    boolean falls() {
      return target == null && !returns;
    }
  }

  /** Replaces the region by a call and returns the new function, whose body is not encoded yet. */
  IrFunction outline(Region region) {
    Interface shape = Interface.of(region, liveness);
    List<WayOut> ways = waysOut(region, shape);
    Map<Integer, Integer> register = assignRegisters(shape.results());
    Integer direct = null; // the one local that is the function's result
    List<ValueType> results = List.of();
    if (ways.size() > 1) {
      results = List.of(ValueType.I32);
    } else if (ways.size() == 1) {
      WayOut only = ways.get(0);
      if (!only.operand.isEmpty()) {
        results = only.operand;
      } else if (!shape.results().isEmpty()) {
        direct = shape.results().nextSetBit(0);
        results = List.of(function.locals().get(direct));
      }
    }
    List<Instr> moved = new ArrayList<>(region.list().subList(region.from(), region.to()));
    IrFunction part = part(region, shape, ways, register, direct, results, moved);
    List<Instr> glue = glue(shape, ways, register, direct, part.index());
    List<Instr> run = region.list().subList(region.from(), region.to());
    run.clear();
    run.addAll(glue);
    liveness.replaced(region.list(), region.from(), region.to(), glue.size());
    return part;
  }

  /** The frequent ones first: they are tested first and have the small numbers. */
  private List<WayOut> waysOut(Region region, Interface shape) {
    List<WayOut> ways = new ArrayList<>();
    region
        .exits()
        .forEach(
            (target, weight) ->
                ways.add(
                    new WayOut(
                        target, false, weight, liveness.atLabel(target), target.labelTypes())));
    if (region.returns() > 0) {
      ways.add(new WayOut(null, true, 0, new BitSet(), function.type().results()));
    }
    ways.sort(Comparator.comparingInt((WayOut way) -> -way.weight)); // stable
    if (region.falls()) {
      BitSet live = liveness.before(region.list(), region.to());
      ways.add(new WayOut(null, false, 0, live, List.of()));
    }
    for (WayOut way : ways) {
      way.stub = new Block(BLOCK, new FuncType(List.of(), way.operand));
    }
    return ways;
  }

  private Map<Integer, Integer> assignRegisters(BitSet results) {
    Map<Integer, Integer> assigned = new HashMap<>();
    Map<ValueType, Integer> next = new EnumMap<>(ValueType.class);
    results.stream()
        .forEach(
            local -> {
              ValueType type = function.locals().get(local);
              int number = next.merge(type, 1, Integer::sum) - 1;
              assigned.put(local, registers.local(type, number));
            });
    return assigned;
  }

  // ---------------------------------------------------------------- the new function

  private IrFunction part(
      Region region,
      Interface shape,
      List<WayOut> ways,
      Map<Integer, Integer> register,
      Integer direct,
      List<ValueType> results,
      List<Instr> moved) {
    List<ValueType> locals = new ArrayList<>();
    Map<Integer, Integer> newLocal = new HashMap<>();
    shape.params().stream()
        .forEach(
            local -> {
              newLocal.put(local, locals.size());
              locals.add(function.locals().get(local));
            });
    FuncType type = new FuncType(List.copyOf(locals), results);
    BitSet others = (BitSet) region.uses().clone();
    others.or(region.defs());
    others.andNot(shape.params());
    others.stream()
        .forEach(
            local -> {
              newLocal.put(local, locals.size());
              locals.add(function.locals().get(local));
            });

    Map<Block, Block> stubs = new IdentityHashMap<>();
    Block returnStub = null;
    Block fallStub = null;
    for (WayOut way : ways) {
      if (way.target != null) {
        stubs.put(way.target, way.stub);
      } else if (way.returns) {
        returnStub = way.stub;
      } else {
        fallStub = way.stub;
      }
    }
    List<Instr> code = relocate(moved, newLocal, stubs, returnStub);
    if (fallStub != null) {
      code.add(new Branch(BR, fallStub));
    }
    for (int number = 0; number < ways.size(); number++) {
      WayOut way = ways.get(number);
      way.stub.bodies.add(code);
      code = new ArrayList<>();
      code.add(way.stub);
      leave(way, ways.size() > 1 ? number : -1, shape, register, direct, newLocal, code);
    }
    int index = module.addFunction(type);
    Block body = new Block(BLOCK, new FuncType(List.of(), results), code);
    return new IrFunction(index, module.functionTypeIndex(index), type, locals, body);
  }

  /** What the function does at the end of a way out; the operand, if any, is on the stack. */
  private void leave(
      WayOut way,
      int number,
      Interface shape,
      Map<Integer, Integer> register,
      Integer direct,
      Map<Integer, Integer> newLocal,
      List<Instr> code) {
    if (number >= 0 && !way.operand.isEmpty()) {
      code.add(new Op(GLOBAL_SET, registers.operand(way.operand.get(0))));
    }
    BitSet handedBack = (BitSet) shape.results().clone();
    handedBack.and(way.live);
    handedBack.stream()
        .filter(local -> direct == null || local != direct)
        .forEach(
            local -> {
              code.add(new Op(LOCAL_GET, newLocal.get(local)));
              code.add(new Op(GLOBAL_SET, register.get(local)));
            });
    if (number >= 0) {
      code.add(new Op(I32_CONST, number));
    } else if (direct != null) {
      code.add(new Op(LOCAL_GET, newLocal.get(direct)));
    }
    code.add(new Op(RETURN));
  }

  private List<Instr> relocate(
      List<Instr> list, Map<Integer, Integer> newLocal, Map<Block, Block> stubs, Block returnStub) {
    List<Instr> out = new ArrayList<>(list.size());
    for (Instr instr : list) {
      if (instr instanceof Op op) {
        out.add(
            switch (op.opcode()) {
              case LOCAL_GET, LOCAL_SET, LOCAL_TEE -> new Op(op.opcode(), newLocal.get(op.index()));
              case RETURN -> new Branch(BR, returnStub);
              default -> op;
            });
        continue;
      }
      if (instr instanceof Branch branch) {
        branch.target = stubs.getOrDefault(branch.target, branch.target);
      } else if (instr instanceof BranchTable table) {
        table.targets.replaceAll(target -> stubs.getOrDefault(target, target));
      } else if (instr instanceof Block block) {
        block.catches.forEach(
            clause -> clause.target = stubs.getOrDefault(clause.target, clause.target));
        block.bodies.replaceAll(body -> relocate(body, newLocal, stubs, returnStub));
      }
      out.add(instr);
    }
    return out;
  }

  // ---------------------------------------------------------------- the caller's side

  private List<Instr> glue(
      Interface shape,
      List<WayOut> ways,
      Map<Integer, Integer> register,
      Integer direct,
      int part) {
    List<Instr> code = new ArrayList<>();
    shape.params().stream().forEach(local -> code.add(new Op(LOCAL_GET, local)));
    code.add(new Op(CALL, part));
    boolean falls = !ways.isEmpty() && ways.get(ways.size() - 1).falls();
    if (ways.size() == 1 && !ways.get(0).operand.isEmpty()) {
      // The result is the operand; nothing is between it and the branch.
      reload(shape, register, direct, code);
      branchOn(ways.get(0), code);
    } else if (ways.size() == 1) {
      if (direct != null) {
        code.add(new Op(LOCAL_SET, direct));
      }
      reload(shape, register, direct, code);
      branchOn(ways.get(0), code);
    } else if (ways.size() > 1) {
      code.add(new Op(LOCAL_SET, selector()));
      reload(shape, register, null, code);
      select(ways, code);
    }
    Block block = new Block(BLOCK, FuncType.VOID, code);
    block.atomic = true;
    return falls ? List.of(block) : List.of(block, new Op(UNREACHABLE));
  }

  private void reload(
      Interface shape, Map<Integer, Integer> register, Integer direct, List<Instr> code) {
    shape.results().stream()
        .filter(local -> direct == null || local != direct)
        .forEach(
            local -> {
              code.add(new Op(GLOBAL_GET, register.get(local)));
              code.add(new Op(LOCAL_SET, local));
            });
  }

  private void branchOn(WayOut way, List<Instr> code) {
    if (way.returns) {
      code.add(new Op(RETURN));
    } else if (way.target != null) {
      code.add(new Branch(BR, way.target));
    }
  }

  private void select(List<WayOut> ways, List<Instr> code) {
    List<Integer> plain = new ArrayList<>();
    for (int number = 0; number < ways.size(); number++) {
      WayOut way = ways.get(number);
      if (way.falls()) {
        continue;
      }
      if (way.returns || !way.operand.isEmpty()) {
        List<Instr> then = new ArrayList<>();
        way.operand.forEach(type -> then.add(new Op(GLOBAL_GET, registers.operand(type))));
        branchOn(way, then);
        test(number, code);
        code.add(new Block(IF, FuncType.VOID, then));
      } else {
        plain.add(number);
      }
    }
    boolean falls = ways.get(ways.size() - 1).falls();
    if (plain.size() >= MANY) {
      Block none = new Block(BLOCK, FuncType.VOID);
      List<Block> targets = new ArrayList<>();
      for (int number = 0; number <= plain.get(plain.size() - 1); number++) {
        targets.add(plain.contains(number) ? ways.get(number).target : none);
      }
      targets.add(none);
      none.bodies.add(
          new ArrayList<>(List.of(new Op(LOCAL_GET, selector()), new BranchTable(targets))));
      code.add(none);
      if (!falls) {
        code.add(new Op(UNREACHABLE));
      }
      return;
    }
    for (int i = 0; i < plain.size(); i++) {
      WayOut way = ways.get(plain.get(i));
      if (i == plain.size() - 1 && !falls) {
        code.add(new Branch(BR, way.target)); // nothing else is left
      } else {
        test(plain.get(i), code);
        code.add(new Branch(BR_IF, way.target));
      }
    }
    if (plain.isEmpty() && !falls) {
      code.add(new Op(UNREACHABLE));
    }
  }

  private void test(int number, List<Instr> code) {
    code.add(new Op(LOCAL_GET, selector()));
    if (number == 0) {
      code.add(new Op(I32_EQZ));
    } else {
      code.add(new Op(I32_CONST, number));
      code.add(new Op(I32_EQ));
    }
  }

  private int selector() {
    if (selector < 0) {
      selector = function.addLocal(ValueType.I32);
    }
    return selector;
  }
}
