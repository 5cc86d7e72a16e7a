package io.pyrunr.wasm.internal.pass;

import static io.pyrunr.wasm.internal.ir.Opcodes.BLOCK;
import static io.pyrunr.wasm.internal.ir.Opcodes.BR;
import static io.pyrunr.wasm.internal.ir.Opcodes.BR_IF;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_ADD;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_CONST;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_SUB;
import static io.pyrunr.wasm.internal.ir.Opcodes.IF;
import static io.pyrunr.wasm.internal.ir.Opcodes.LOCAL_GET;
import static io.pyrunr.wasm.internal.ir.Opcodes.LOCAL_SET;
import static io.pyrunr.wasm.internal.ir.Opcodes.LOCAL_TEE;
import static io.pyrunr.wasm.internal.ir.Opcodes.LOOP;
import static io.pyrunr.wasm.internal.ir.Opcodes.RETURN;
import static io.pyrunr.wasm.internal.ir.Opcodes.THROW;
import static io.pyrunr.wasm.internal.ir.Opcodes.TRY_TABLE;
import static io.pyrunr.wasm.internal.ir.Opcodes.UNREACHABLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pyrunr.wasm.internal.ir.FuncType;
import io.pyrunr.wasm.internal.ir.Instr;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.Instr.Branch;
import io.pyrunr.wasm.internal.ir.Instr.BranchTable;
import io.pyrunr.wasm.internal.ir.Instr.CatchClause;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.ModuleFactory;
import io.pyrunr.wasm.internal.ir.ValueType;
import io.pyrunr.wasm.internal.pass.split.FunctionSplitter.Sizes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * One module for each way in which a splitter went wrong, and the neighbours of that way.
 *
 * <p>Each bug was put back by hand to see that this class finds it, and that {@link
 * DifferentialTest} does with its default seeds:
 *
 * <pre>
 * default handed on raw      SwitchGroups.redirect treats the last target like the others
 * fallen to, so unreachable  Region.falls wants a branch to a block that ends the region
 * clause without a stub      SwitchGroups.redirectClauses does nothing
 * part of a part             RegionFinder pins no register
 * write lost to a handler    RegionFinder.isLegal ignores what lives in handlers
 * </pre>
 */
class SplitterRegressionTest {
  private static final FuncType UNARY =
      new FuncType(List.of(ValueType.I32), List.of(ValueType.I32));
  private static final int[] SELECTORS = {
    0, 1, 2, 5, 7, 8, 9, 10, 11, 12, 13, 14, 25, -1, -2, Integer.MIN_VALUE, Integer.MAX_VALUE
  };
  private static final int CASES = 10;
  private static final int RESULT = 1;

  /** Runs {@code body}, whose second local is the result, before and after splitting. */
  private static void check(List<Instr> body) {
    ModuleFactory factory = new ModuleFactory();
    factory.importFunction(
        "env", "mix", new FuncType(List.of(ValueType.I32, ValueType.I64), List.of(ValueType.I32)));
    factory.memory(RandomModule.PAGES, RandomModule.MAXIMUM_PAGES);
    RandomModule.TAGS.forEach(factory::tag);
    factory.global(ValueType.I32);
    RandomModule.TYPES.forEach(factory::global);
    factory.export("f0", factory.function(UNARY, List.of(ValueType.I32, ValueType.I32), body));
    byte[] wasm = factory.binary();
    int parts = 0;
    for (Sizes sizes : DifferentialTest.SIZES) {
      DifferentialTest.Transformed split = DifferentialTest.transform(wasm, sizes);
      parts += split.parts();
      Engines.Engine before = Engines.evaluator(wasm, 1000);
      Engines.Engine after = Engines.evaluator(split.wasm(), 1000);
      Engines.Engine interpreted = Engines.interpreter(split.wasm(), 1000);
      Engines.Engine compiled = Engines.compiled(split.wasm(), split.registers(), 1000);
      for (int selector : SELECTORS) {
        Engines.Outcome expected = before.call(0, new long[] {selector});
        String where = "selector " + selector + ", " + sizes;
        assertEquals(expected.result(), after.call(0, new long[] {selector}).result(), where);
        assertEquals(expected.result(), interpreted.call(0, new long[] {selector}).result(), where);
        assertEquals(expected.result(), compiled.call(0, new long[] {selector}).result(), where);
      }
    }
    assertTrue(parts >= DifferentialTest.SIZES.size(), "hardly split: " + parts);
  }

  private static Block block() {
    return new Block(BLOCK, FuncType.VOID);
  }

  /** Code of some size: the result becomes {@code result * 31 + number}, in many steps. */
  private static List<Instr> work(int number) {
    List<Instr> code = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      code.add(new Op(LOCAL_GET, RESULT));
      code.add(new Op(I32_CONST, 31 + i));
      code.add(new Op(0x6c));
      code.add(new Op(I32_CONST, number + i));
      code.add(new Op(I32_ADD));
      code.add(new Op(LOCAL_SET, RESULT));
    }
    return code;
  }

  /** What comes first in the innermost block, given the cases' blocks and the one around them. */
  private interface Dispatch {
    List<Instr> code(List<Block> cases, Block done);
  }

  /** Nested blocks around {@code dispatch} with a case behind each; every third falls through. */
  private static List<Instr> chain(Dispatch dispatch) {
    Block done = block();
    List<Block> cases = new ArrayList<>();
    for (int i = 0; i < CASES; i++) {
      cases.add(block());
    }
    List<Instr> code = new ArrayList<>(dispatch.code(cases, done));
    for (int i = 0; i < CASES; i++) {
      cases.get(i).bodies.add(code);
      code = new ArrayList<>();
      code.add(cases.get(i));
      code.addAll(work(100 * i));
      if (i % 3 != 0) {
        code.add(new Branch(BR, done));
      }
    }
    done.bodies.add(code);
    List<Instr> body = new ArrayList<>();
    body.add(done);
    body.add(new Op(LOCAL_GET, RESULT));
    return body;
  }

  private static List<Instr> table(List<Block> targets) {
    return List.of(new Op(LOCAL_GET, 0), new BranchTable(targets));
  }

  /**
   * An index beyond the table was handed on to the group's own, larger switch. Seen in CPython's
   * symbol table pass as {@code SystemError: no symtable}.
   */
  @Test
  void indexBeyondTheTableIsNotHandedOn() {
    for (int defaultCase = 0; defaultCase < CASES; defaultCase++) {
      int other = defaultCase;
      check(
          chain(
              (cases, done) -> {
                List<Block> targets = new ArrayList<>(cases.subList(0, 8));
                targets.add(cases.get(3)); // twice
                targets.add(cases.get(other));
                return table(targets);
              }));
    }
    check(
        chain(
            (cases, done) -> {
              List<Block> targets = new ArrayList<>(cases);
              targets.add(done); // outside of every group
              return table(targets);
            }));
  }

  /** The prototype's second table into the same chain, longer than the first. */
  @Test
  void severalTablesLeadIntoOneChain() {
    check(
        chain(
            (cases, done) -> {
              Block when = new Block(IF, FuncType.VOID);
              List<Block> few = List.of(cases.get(9), cases.get(0), cases.get(4));
              when.bodies.add(new ArrayList<>(table(few)));
              List<Instr> code = new ArrayList<>();
              code.add(new Op(LOCAL_GET, 0));
              code.add(new Op(I32_CONST, 8));
              code.add(new Op(0x4a));
              code.add(when);
              code.add(new Op(LOCAL_GET, 0));
              code.add(new Op(I32_CONST, 7));
              code.add(new Op(0x46));
              code.add(new Branch(BR_IF, cases.get(6)));
              List<Block> targets = new ArrayList<>(cases.subList(0, 9));
              targets.add(cases.get(2));
              code.addAll(table(targets));
              return code;
            }));
  }

  /** A label that is only reached by falling through was taken for one that is never reached. */
  @Test
  void labelsReachedByFallingThroughAreReached() {
    List<Instr> body = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Block nobodyBranchesHere = block();
      List<Instr> code = new ArrayList<>(work(i));
      Block inner = block();
      inner.bodies.add(work(50 + i));
      code.add(inner);
      nobodyBranchesHere.bodies.add(code);
      body.add(nobodyBranchesHere);
    }
    body.add(new Op(LOCAL_GET, RESULT));
    check(body);
    check(
        chain(
            (cases, done) -> {
              // Falls out of the innermost block into the first case.
              List<Instr> code = new ArrayList<>(work(9));
              List<Block> targets = new ArrayList<>(cases.subList(1, 9));
              targets.add(done);
              Block when = new Block(IF, FuncType.VOID);
              when.bodies.add(new ArrayList<>(table(targets)));
              code.add(new Op(LOCAL_GET, 0));
              code.add(when);
              List<Block> again = new ArrayList<>(cases.subList(1, 9));
              again.add(cases.get(0));
              code.add(new Op(I32_CONST, 99));
              code.add(new BranchTable(again));
              return code;
            }));
  }

  /** A clause can only name a block around it, so a case in a group needs one in between. */
  @Test
  void clausesLeadToCasesInGroups() {
    for (int handler = 0; handler < CASES; handler++) {
      int target = handler;
      check(
          chain(
              (cases, done) -> {
                Block table = new Block(TRY_TABLE, FuncType.VOID);
                Block when = new Block(IF, FuncType.VOID);
                when.bodies.add(List.of(new Op(THROW, 2)));
                table.bodies.add(
                    List.of(new Op(LOCAL_GET, 0), new Op(I32_CONST, 5), new Op(0x4a), when));
                table.catches.add(new CatchClause(2, cases.get(target)));
                table.catches.add(new CatchClause(CatchClause.ALL, cases.get(CASES - 1 - target)));
                List<Instr> code = new ArrayList<>();
                code.add(table);
                List<Block> targets = new ArrayList<>(cases.subList(0, 9));
                targets.add(done);
                code.addAll(table(targets));
                return code;
              }));
    }
  }

  /** A back-edge enters the groups anew, with another entry each time. */
  @Test
  void groupsAreEnteredAgainFromALoop() {
    Block loop = new Block(LOOP, FuncType.VOID);
    List<Instr> round =
        new ArrayList<>(
            chain(
                (cases, done) -> {
                  List<Block> targets = new ArrayList<>(cases.subList(0, 9));
                  targets.add(cases.get(9));
                  return table(targets);
                }));
    round.remove(round.size() - 1);
    round.add(new Op(LOCAL_GET, 0));
    round.add(new Op(I32_CONST, 1));
    round.add(new Op(I32_SUB));
    round.add(new Op(LOCAL_TEE, 0));
    round.add(new Op(I32_CONST, 0));
    round.add(new Op(0x4a));
    round.add(new Op(LOCAL_GET, 0));
    round.add(new Op(I32_CONST, 40));
    round.add(new Op(0x48));
    round.add(new Op(0x71));
    round.add(new Branch(BR_IF, loop));
    loop.bodies.add(round);
    check(List.of(loop, new Op(LOCAL_GET, RESULT)));
  }

  /**
   * The end of a part puts a branch's operand into a register and returns the number of its way
   * out; cut once more, that number came back in the same register.
   */
  @Test
  void partsOfPartsKeepTheirOperands() {
    Block outer = new Block(BLOCK, new FuncType(List.of(), List.of(ValueType.I32)));
    List<Instr> code = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Block inner = block();
      List<Instr> leaving = new ArrayList<>(work(i));
      leaving.add(new Op(I32_CONST, 1000 + i));
      leaving.add(new Op(LOCAL_GET, 0));
      leaving.add(new Op(I32_CONST, i));
      leaving.add(new Op(0x46));
      leaving.add(new Branch(BR_IF, outer));
      leaving.add(new Op(LOCAL_SET, 2));
      Block when = new Block(IF, FuncType.VOID);
      List<Instr> returning = new ArrayList<>(work(i + 40));
      returning.add(new Op(LOCAL_GET, RESULT));
      returning.add(new Op(RETURN));
      when.bodies.add(returning);
      leaving.add(new Op(LOCAL_GET, 0));
      leaving.add(new Op(I32_CONST, -i));
      leaving.add(new Op(0x46));
      leaving.add(when);
      inner.bodies.add(leaving);
      code.add(inner);
    }
    code.add(new Op(LOCAL_GET, 2));
    outer.bodies.add(code);
    check(List.of(outer, new Op(LOCAL_GET, RESULT), new Op(I32_ADD)));
  }

  /** What a try has written before it throws is there in the handler, whatever was moved. */
  @Test
  void handlersSeeWhatWasWrittenBeforeTheThrow() {
    Block handler = block();
    Block table = new Block(TRY_TABLE, FuncType.VOID);
    List<Instr> code = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      code.addAll(work(i));
      Block when = new Block(IF, FuncType.VOID);
      when.bodies.add(List.of(new Op(THROW, 2)));
      code.add(new Op(LOCAL_GET, 0));
      code.add(new Op(I32_CONST, i));
      code.add(new Op(0x46));
      code.add(when);
      // Not read by the handler, so this much may move.
      for (int j = 0; j < 30; j++) {
        code.add(new Op(LOCAL_GET, 2));
        code.add(new Op(I32_CONST, 77 + j));
        code.add(new Op(0x73));
        code.add(new Op(LOCAL_SET, 2));
      }
    }
    code.add(new Op(LOCAL_GET, 2));
    code.add(new Op(RETURN));
    table.bodies.add(code);
    table.catches.add(new CatchClause(2, handler));
    handler.bodies.add(new ArrayList<>(List.of(table, new Op(UNREACHABLE))));
    check(List.of(handler, new Op(LOCAL_GET, RESULT)));
  }
}
