package io.pyrunr.wasm.internal.ir;

import java.util.ArrayList;
import java.util.List;

/**
 * An instruction. Those that name a label hold the {@link Block} it belongs to, so that code can be
 * moved without counting depths.
 */
public abstract sealed class Instr {
  private final int opcode;

  private Instr(int opcode) {
    this.opcode = opcode;
  }

  public final int opcode() {
    return opcode;
  }

  /** Whether this very instruction never lets control pass; blocks answer no. */
  public final boolean endsControl() {
    return Opcodes.endsControl(opcode);
  }

  /**
   * An instruction without labels.
   *
   * <p>{@code a} and {@code b} are its immediates in binary order: an index; a constant's bits;
   * alignment and offset of a memory access; type and table of a {@code call_indirect}.
   */
  public static final class Op extends Instr {
    public final long a;
    public final long b;

    public Op(int opcode, long a, long b) {
      super(opcode);
      this.a = a;
      this.b = b;
    }

    public Op(int opcode, long a) {
      this(opcode, a, 0);
    }

    public Op(int opcode) {
      this(opcode, 0, 0);
    }

    public int index() {
      return (int) a;
    }
  }

  /** {@code br}, {@code br_if} or the legacy {@code rethrow}. */
  public static final class Branch extends Instr {
    public Block target;

    public Branch(int opcode, Block target) {
      super(opcode);
      this.target = target;
    }
  }

  /** {@code br_table}; the last target is the default. */
  public static final class BranchTable extends Instr {
    public final List<Block> targets;

    public BranchTable(List<Block> targets) {
      super(Opcodes.BR_TABLE);
      this.targets = new ArrayList<>(targets);
    }
  }

  /** One clause of a {@code try_table} without exnref; tag -1 is {@code catch_all}. */
  public static final class CatchClause {
    public static final int ALL = -1;
    public final int tag;
    public Block target;

    public CatchClause(int tag, Block target) {
      this.tag = tag;
      this.target = target;
    }
  }

  /**
   * {@code block}, {@code loop}, {@code if}, {@code try_table} or the legacy {@code try}; also the
   * body of a function.
   *
   * <p>{@code bodies} holds one list of instructions, and a second for {@code else}, or one more
   * per legacy catch clause, whose tags are in {@code catchTags}.
   */
  public static final class Block extends Instr {
    public final FuncType type;
    public final List<List<Instr>> bodies = new ArrayList<>(1);

    /** Legacy {@code try}: tag of {@code bodies.get(i + 1)}, or {@link CatchClause#ALL}. */
    public final List<Integer> catchTags = new ArrayList<>(0);

    /** Legacy {@code try … delegate}: whom exceptions are handed to; null if there is none. */
    public Block delegate;

    /** {@code try_table}: its clauses. */
    public final List<CatchClause> catches = new ArrayList<>(0);

    /** Not to be cut apart: its instructions rely on registers that any call may overwrite. */
    public boolean atomic;

    public Block(int opcode, FuncType type) {
      super(opcode);
      this.type = type;
    }

    public Block(int opcode, FuncType type, List<Instr> body) {
      this(opcode, type);
      bodies.add(body);
    }

    public List<Instr> body() {
      return bodies.get(0);
    }

    /** What a branch to this block takes from the stack. */
    public List<ValueType> labelTypes() {
      return opcode() == Opcodes.LOOP ? type.params() : type.results();
    }
  }
}
