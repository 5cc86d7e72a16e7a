package io.pyrunr.wasm.internal.pass.split;

import io.pyrunr.wasm.internal.ir.Instr.Block;
import java.util.BitSet;

/**
 * The locals a region exchanges with the code around it.
 *
 * @param params locals it needs the values of: those it reads, and those it may leave as they are
 *     on a way out where they are live
 * @param results locals it may write that live behind one of its ways out
 */
record Interface(BitSet params, BitSet results) {

  static Interface of(Region region, Liveness liveness) {
    BitSet results = new BitSet();
    if (region.falls()) {
      results.or(liveness.before(region.list(), region.to()));
    }
    for (Block exit : region.exits().keySet()) {
      results.or(liveness.atLabel(exit));
    }
    results.and(region.defs());
    BitSet params = (BitSet) region.uses().clone();
    params.or(results);
    params.and(liveness.before(region.list(), region.from()));
    return new Interface(params, results);
  }
}
