package io.pyrunr.wasm.internal.pass.lower;

import static io.pyrunr.wasm.internal.ir.Opcodes.BLOCK;
import static io.pyrunr.wasm.internal.ir.Opcodes.BR;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_CONST;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_EQ;
import static io.pyrunr.wasm.internal.ir.Opcodes.IF;
import static io.pyrunr.wasm.internal.ir.Opcodes.LOCAL_GET;
import static io.pyrunr.wasm.internal.ir.Opcodes.LOCAL_SET;
import static io.pyrunr.wasm.internal.ir.Opcodes.RETHROW;
import static io.pyrunr.wasm.internal.ir.Opcodes.RETURN;
import static io.pyrunr.wasm.internal.ir.Opcodes.THROW;
import static io.pyrunr.wasm.internal.ir.Opcodes.TRY;
import static io.pyrunr.wasm.internal.ir.Opcodes.TRY_TABLE;
import static io.pyrunr.wasm.internal.ir.Opcodes.UNREACHABLE;

import io.pyrunr.wasm.format.WasmFormatException;
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
import io.pyrunr.wasm.internal.pass.FunctionPass;
import io.pyrunr.wasm.internal.pass.InstrVisitor;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Replaces legacy exception handling ({@code try}, {@code catch}, {@code rethrow}, {@code
 * delegate}) by {@code try_table} without exnref.
 *
 * <p>A handler becomes code after a block that a clause of the {@code try_table} branches to:
 *
 * <pre>{@code
 * try BODY catch $t H1 catch_all H2 end
 *
 * block $done
 *   block $all
 *     block $t (result i32)
 *       try_table (catch $t $t) (catch_all $all) BODY end
 *       br $done
 *     end
 *     H1; br $done
 *   end
 *   H2
 * end
 * }</pre>
 *
 * <p>What a {@code rethrow} throws again is kept in locals, tag and payload, and thrown anew. That
 * needs the tag to be known: a {@code catch_all} whose exception is rethrown becomes one clause per
 * tag of the module. An exception of a tag that the module does not know then passes such a handler
 * by; in Emscripten's world there are two tags, and every module that handles exceptions has both.
 */
public final class LegacyExceptions implements FunctionPass {
  private final IrModule module;
  private final List<Integer> tagTypes;

  public LegacyExceptions(IrModule module) {
    this.module = module;
    this.tagTypes = module.tagTypes();
  }

  @Override
  public void apply(IrFunction function) {
    boolean[] found = new boolean[1];
    InstrVisitor.forEach(function.body().body(), instr -> found[0] |= instr.opcode() == TRY);
    if (found[0]) {
      new Rewriter(function).rewrite();
    }
  }

  /** A legacy {@code try} around the code that is being rewritten. */
  private static final class Handlers {
    final Block legacy;
    final Block done;
    boolean inBody = true;

    /** Where an exception of a tag goes; {@link CatchClause#ALL} is a handler that asks no tag. */
    final Map<Integer, Block> entries = new LinkedHashMap<>();

    /** The tag of the exception being handled, where only run time knows it; else -1. */
    int tagLocal = -1;

    /** The tag of the handler being rewritten, where it is known; else -1. */
    int tag = -1;

    /** Locals for the payload of each tag that is rethrown. */
    final Map<Integer, List<Integer>> payload = new TreeMap<>();

    Handlers(Block legacy) {
      this.legacy = legacy;
      this.done = new Block(BLOCK, new FuncType(List.of(), legacy.type.results()));
    }
  }

  private final class Rewriter {
    private final IrFunction function;
    private final List<Handlers> around = new ArrayList<>();
    private final Map<Block, Block> replaced = new IdentityHashMap<>();

    /** Blocks around the current code, outermost first: where a delegate's search starts. */
    private final List<Block> open = new ArrayList<>();

    /** Blocks whose clauses let an exception leave the function past inner handlers, by tag. */
    private final Map<Integer, Block> escapes = new TreeMap<>();

    Rewriter(IrFunction function) {
      this.function = function;
    }

    void rewrite() {
      Block root = function.body();
      open.add(root);
      List<Instr> body = rewriteList(root.body());
      root.bodies.set(0, body);
      for (Map.Entry<Integer, Block> escape : escapes.entrySet()) {
        List<Instr> inner = new ArrayList<>(root.body());
        if (reachesEnd(inner)) {
          inner.add(new Op(RETURN));
        }
        escape.getValue().bodies.add(inner);
        root.bodies.set(0, List.of(escape.getValue(), new Op(THROW, escape.getKey())));
      }
    }

    private List<Instr> rewriteList(List<Instr> list) {
      List<Instr> out = new ArrayList<>(list.size());
      for (Instr instr : list) {
        if (instr instanceof Branch branch && branch.opcode() == RETHROW) {
          rethrow(branch, out);
        } else if (instr instanceof Branch branch) {
          branch.target = replaced.getOrDefault(branch.target, branch.target);
          out.add(branch);
        } else if (instr instanceof BranchTable table) {
          table.targets.replaceAll(target -> replaced.getOrDefault(target, target));
          out.add(table);
        } else if (instr instanceof Block block) {
          block(block, out);
        } else {
          out.add(instr);
        }
      }
      return out;
    }

    private void block(Block block, List<Instr> out) {
      open.add(block);
      if (block.opcode() != TRY) {
        block.catches.forEach(
            clause -> clause.target = replaced.getOrDefault(clause.target, clause.target));
        block.bodies.replaceAll(this::rewriteList);
        out.add(block);
      } else if (!block.type.params().isEmpty()) {
        throw new WasmFormatException("try with parameters");
      } else if (block.delegate != null) {
        delegate(block, out);
      } else {
        handlers(block, out);
      }
      open.remove(open.size() - 1);
    }

    // ------------------------------------------------------------ try … catch

    private void handlers(Block legacy, List<Instr> out) {
      Handlers handlers = new Handlers(legacy);
      replaced.put(legacy, handlers.done);
      List<Block> entries = new ArrayList<>(); // of each clause, in order
      for (int i = 0; i < legacy.catchTags.size(); i++) {
        entries.add(entry(handlers, legacy.catchTags.get(i), isRethrown(legacy, i)));
      }
      around.add(handlers);
      Block table = new Block(TRY_TABLE, handlers.done.type, rewriteList(legacy.body()));
      handlers.entries.forEach((tag, target) -> table.catches.add(new CatchClause(tag, target)));
      handlers.inBody = false;

      List<Instr> code = new ArrayList<>();
      code.add(table);
      code.add(new Branch(BR, handlers.done));
      for (int i = 0; i < entries.size(); i++) {
        code = wrapClause(handlers, entries.get(i), legacy.catchTags.get(i), code);
        handlers.tag = legacy.catchTags.get(i);
        List<Instr> handler = rewriteList(legacy.bodies.get(i + 1));
        code.addAll(handler);
        if (reachesEnd(handler)) {
          code.add(new Branch(BR, handlers.done));
        }
      }
      around.remove(around.size() - 1);
      handlers.done.bodies.add(code);
      out.add(handlers.done);
    }

    /** The block before a clause's handler; also notes where exceptions of each tag enter. */
    private Block entry(Handlers handlers, int tag, boolean rethrown) {
      if (tag != CatchClause.ALL) {
        Block entry = new Block(BLOCK, new FuncType(List.of(), payloadTypes(tag)));
        handlers.entries.putIfAbsent(tag, entry);
        if (rethrown) {
          handlers.payload.put(tag, payloadLocals(tag));
        }
        return entry;
      }
      Block entry = new Block(BLOCK, FuncType.VOID);
      if (!rethrown) {
        handlers.entries.putIfAbsent(CatchClause.ALL, entry);
        return entry;
      }
      handlers.tagLocal = function.addLocal(ValueType.I32);
      for (int each = 0; each < tagTypes.size(); each++) {
        if (handlers.entries.containsKey(each)) {
          continue;
        }
        handlers.entries.put(each, new Block(BLOCK, new FuncType(List.of(), payloadTypes(each))));
        handlers.payload.put(each, payloadLocals(each));
      }
      return entry;
    }

    /**
     * {@code code} inside the clause's block or blocks, with the payload where its handler wants
     * it.
     */
    private List<Instr> wrapClause(Handlers handlers, Block entry, int tag, List<Instr> code) {
      if (tag == CatchClause.ALL && handlers.tagLocal >= 0) {
        List<Instr> inner = code;
        for (Map.Entry<Integer, Block> each : handlers.entries.entrySet()) {
          if (handlers.legacy.catchTags.contains(each.getKey())) {
            continue; // has a clause of its own
          }
          each.getValue().bodies.add(inner);
          inner = new ArrayList<>();
          inner.add(each.getValue());
          store(handlers.payload.get(each.getKey()), inner);
          inner.add(new Op(I32_CONST, each.getKey()));
          inner.add(new Op(LOCAL_SET, handlers.tagLocal));
          inner.add(new Branch(BR, entry));
        }
        code = inner;
      }
      entry.bodies.add(code);
      List<Instr> out = new ArrayList<>();
      out.add(entry);
      List<Integer> kept = handlers.payload.get(tag);
      if (tag != CatchClause.ALL && kept != null) {
        store(kept, out);
        kept.forEach(local -> out.add(new Op(LOCAL_GET, local)));
      }
      return out;
    }

    private void rethrow(Branch rethrow, List<Instr> out) {
      Handlers handlers = null;
      for (Handlers each : around) {
        if (each.legacy == rethrow.target) {
          handlers = each;
        }
      }
      if (handlers == null || handlers.inBody) {
        throw new WasmFormatException("rethrow outside of a catch");
      }
      if (handlers.tag != CatchClause.ALL) {
        throwAgain(handlers, handlers.tag, out);
        return;
      }
      for (Integer tag : handlers.payload.keySet()) {
        if (handlers.legacy.catchTags.contains(tag)) {
          continue;
        }
        List<Instr> then = new ArrayList<>();
        throwAgain(handlers, tag, then);
        out.add(new Op(LOCAL_GET, handlers.tagLocal));
        out.add(new Op(I32_CONST, tag));
        out.add(new Op(I32_EQ));
        out.add(new Block(IF, FuncType.VOID, then));
      }
      out.add(new Op(UNREACHABLE));
    }

    private void throwAgain(Handlers handlers, int tag, List<Instr> out) {
      handlers.payload.get(tag).forEach(local -> out.add(new Op(LOCAL_GET, local)));
      out.add(new Op(THROW, tag));
    }

    // ------------------------------------------------------------ try … delegate

    /**
     * Exceptions go to the handlers around the delegate's target as if thrown there, past all
     * handlers in between: the clauses branch to those handlers' blocks directly.
     */
    private void delegate(Block legacy, List<Instr> out) {
      Handlers handlers = new Handlers(legacy);
      replaced.put(legacy, handlers.done);
      around.add(handlers);
      Block table = new Block(TRY_TABLE, handlers.done.type, rewriteList(legacy.body()));
      around.remove(around.size() - 1);
      clausesFrom(legacy.delegate, table.catches);
      handlers.done.bodies.add(new ArrayList<>(List.of(table)));
      out.add(handlers.done);
    }

    private void clausesFrom(Block target, List<CatchClause> clauses) {
      List<Integer> open = new ArrayList<>();
      for (int tag = 0; tag < tagTypes.size(); tag++) {
        open.add(tag);
      }
      Block from = target;
      for (int i = around.size() - 1; i >= 0; i--) {
        Handlers handlers = around.get(i);
        if (!handlers.inBody || !isAtOrOutside(handlers.legacy, from)) {
          continue;
        }
        if (handlers.legacy.delegate != null) {
          from = handlers.legacy.delegate;
          continue;
        }
        for (Map.Entry<Integer, Block> entry : handlers.entries.entrySet()) {
          int tag = entry.getKey();
          if (tag == CatchClause.ALL) {
            clauses.add(new CatchClause(tag, entry.getValue()));
            return;
          }
          if (open.remove((Integer) tag)) {
            clauses.add(new CatchClause(tag, entry.getValue()));
          }
        }
      }
      for (Integer tag : open) {
        Block escape =
            escapes.computeIfAbsent(
                tag, each -> new Block(BLOCK, new FuncType(List.of(), payloadTypes(each))));
        clauses.add(new CatchClause(tag, escape));
      }
    }

    /** Whether {@code block} is {@code other} or encloses it. Both are around the current code. */
    private boolean isAtOrOutside(Block block, Block other) {
      return indexOf(block) <= indexOf(other);
    }

    private int indexOf(Block block) {
      for (int i = 0; i < open.size(); i++) {
        if (open.get(i) == block) {
          return i;
        }
      }
      throw new IllegalStateException("delegate to a block that does not enclose it");
    }

    // ------------------------------------------------------------ payloads

    private List<ValueType> payloadTypes(int tag) {
      return module.type(tagTypes.get(tag)).params();
    }

    private List<Integer> payloadLocals(int tag) {
      return payloadTypes(tag).stream().map(function::addLocal).toList();
    }

    private void store(List<Integer> locals, List<Instr> out) {
      for (int i = locals.size() - 1; i >= 0; i--) {
        out.add(new Op(LOCAL_SET, locals.get(i)));
      }
    }
  }

  private static boolean isRethrown(Block legacy, int clause) {
    boolean[] found = new boolean[1];
    InstrVisitor.forEach(
        legacy.bodies.get(clause + 1),
        instr ->
            found[0] |=
                instr instanceof Branch branch
                    && branch.opcode() == RETHROW
                    && branch.target == legacy);
    return found[0];
  }

  private static boolean reachesEnd(List<Instr> list) {
    return list.isEmpty() || !list.get(list.size() - 1).endsControl();
  }
}
