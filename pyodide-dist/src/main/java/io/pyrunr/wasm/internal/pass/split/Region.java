package io.pyrunr.wasm.internal.pass.split;

import io.pyrunr.wasm.internal.ir.Instr;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A run of instructions that could become a function: it takes nothing from the operand stack and
 * leaves nothing on it.
 *
 * @param list the run's list
 * @param from first instruction
 * @param to behind the last
 * @param size estimated bytes of bytecode
 * @param uses locals read somewhere in the run
 * @param defs locals written somewhere in the run
 * @param exits labels outside that the run branches to, with the number of branches
 * @param returns number of {@code return} instructions
 * @param pinned whether it contains what must stay in the function
 */
record Region(
    List<Instr> list,
    int from,
    int to,
    int size,
    BitSet uses,
    BitSet defs,
    Map<Block, Integer> exits,
    int returns,
    boolean pinned) {

  /** Whether control may reach the instruction behind the run; yes if in doubt. */
  boolean falls() {
    return !list.get(to - 1).endsControl();
  }

  /** Number of ways out. */
  int waysOut() {
    return exits.size() + (returns > 0 ? 1 : 0) + (falls() ? 1 : 0);
  }

  /** What is known of an instruction and all that is in it. */
  static final class Summary {
    int size;
    final BitSet uses = new BitSet();
    final BitSet defs = new BitSet();
    final Map<Block, Integer> exits = new LinkedHashMap<>();
    int returns;

    /** Whether it contains a table or the end of a part, which must stay where they are. */
    boolean pinned;

    void add(Summary other) {
      size += other.size;
      uses.or(other.uses);
      defs.or(other.defs);
      other.exits.forEach((label, count) -> exits.merge(label, count, Integer::sum));
      returns += other.returns;
      pinned |= other.pinned;
    }
  }
}
