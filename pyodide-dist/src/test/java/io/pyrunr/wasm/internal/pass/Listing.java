package io.pyrunr.wasm.internal.pass;

import io.pyrunr.wasm.internal.ir.Instr;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.Instr.Branch;
import io.pyrunr.wasm.internal.ir.Instr.BranchTable;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.IrFunction;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** A function as text, for messages and to compare trees. */
final class Listing {
  private final StringBuilder out = new StringBuilder();
  private final Map<Block, Integer> labels = new IdentityHashMap<>();

  private Listing() {}

  static String of(IrFunction function) {
    Listing listing = new Listing();
    listing.out.append(function.type()).append(' ').append(function.locals()).append('\n');
    listing.labels.put(function.body(), 0);
    listing.list(function.body().body(), 1);
    return listing.out.toString();
  }

  private void list(List<Instr> list, int depth) {
    list.forEach(instr -> instr(instr, depth));
  }

  private String label(Block block) {
    return block == null ? "-" : "$" + labels.get(block);
  }

  private void instr(Instr instr, int depth) {
    out.append("  ".repeat(depth)).append("%02x".formatted(instr.opcode()));
    if (instr instanceof Op op) {
      out.append(" %d %d\n".formatted(op.a, op.b));
    } else if (instr instanceof Branch branch) {
      out.append(" ").append(label(branch.target)).append('\n');
    } else if (instr instanceof BranchTable table) {
      out.append(" ").append(table.targets.stream().map(this::label).toList()).append('\n');
    } else {
      Block block = (Block) instr;
      block.catches.forEach(
          c -> out.append(" (catch ").append(c.tag + " " + label(c.target) + ")"));
      labels.put(block, labels.size());
      out.append(
          " %s %s tags %s delegate %s\n"
              .formatted(label(block), block.type, block.catchTags, label(block.delegate)));
      block.bodies.forEach(
          body -> {
            list(body, depth + 1);
            out.append("  ".repeat(depth)).append("--\n");
          });
    }
  }
}
