package io.pyrunr.wasm.internal.pass;

import static io.pyrunr.wasm.internal.ir.Opcodes.BLOCK;
import static io.pyrunr.wasm.internal.ir.Opcodes.BR;
import static io.pyrunr.wasm.internal.ir.Opcodes.BR_IF;
import static io.pyrunr.wasm.internal.ir.Opcodes.CALL;
import static io.pyrunr.wasm.internal.ir.Opcodes.CALL_INDIRECT;
import static io.pyrunr.wasm.internal.ir.Opcodes.DROP;
import static io.pyrunr.wasm.internal.ir.Opcodes.F32_CONST;
import static io.pyrunr.wasm.internal.ir.Opcodes.F64_CONST;
import static io.pyrunr.wasm.internal.ir.Opcodes.GLOBAL_GET;
import static io.pyrunr.wasm.internal.ir.Opcodes.GLOBAL_SET;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_ADD;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_AND;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_CONST;
import static io.pyrunr.wasm.internal.ir.Opcodes.I64_CONST;
import static io.pyrunr.wasm.internal.ir.Opcodes.IF;
import static io.pyrunr.wasm.internal.ir.Opcodes.LOCAL_GET;
import static io.pyrunr.wasm.internal.ir.Opcodes.LOCAL_SET;
import static io.pyrunr.wasm.internal.ir.Opcodes.LOCAL_TEE;
import static io.pyrunr.wasm.internal.ir.Opcodes.LOOP;
import static io.pyrunr.wasm.internal.ir.Opcodes.MEMORY_COPY;
import static io.pyrunr.wasm.internal.ir.Opcodes.MEMORY_FILL;
import static io.pyrunr.wasm.internal.ir.Opcodes.MEMORY_GROW;
import static io.pyrunr.wasm.internal.ir.Opcodes.MEMORY_SIZE;
import static io.pyrunr.wasm.internal.ir.Opcodes.RETHROW;
import static io.pyrunr.wasm.internal.ir.Opcodes.RETURN;
import static io.pyrunr.wasm.internal.ir.Opcodes.SELECT;
import static io.pyrunr.wasm.internal.ir.Opcodes.SELECT_TYPED;
import static io.pyrunr.wasm.internal.ir.Opcodes.THROW;
import static io.pyrunr.wasm.internal.ir.Opcodes.TRY;
import static io.pyrunr.wasm.internal.ir.Opcodes.TRY_TABLE;
import static io.pyrunr.wasm.internal.ir.ValueType.F32;
import static io.pyrunr.wasm.internal.ir.ValueType.F64;
import static io.pyrunr.wasm.internal.ir.ValueType.I32;
import static io.pyrunr.wasm.internal.ir.ValueType.I64;

import io.pyrunr.wasm.internal.ir.FuncType;
import io.pyrunr.wasm.internal.ir.Instr;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.Instr.Branch;
import io.pyrunr.wasm.internal.ir.Instr.BranchTable;
import io.pyrunr.wasm.internal.ir.Instr.CatchClause;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.ValueType;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * One random function of a {@link RandomModule}. Its size is limited by a budget of instructions.
 */
final class RandomFunction {
  private static final int[] I32_BINARY = {
    0x6a, 0x6b, 0x6c, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x46, 0x47, 0x48, 0x49, 0x4a,
    0x4b, 0x4c, 0x4d, 0x4e, 0x4f
  };
  private static final int[] I64_BINARY = {
    0x7c, 0x7d, 0x7e, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a
  };
  private static final int[] F32_BINARY = {0x92, 0x93, 0x94, 0x95, 0x96, 0x97};
  private static final int[] F64_BINARY = {0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5};

  private final RandomModule module;
  private final Random random;
  private final int function;
  private final FuncType type;
  private final List<ValueType> locals;
  private final List<Block> labels = new ArrayList<>();

  /** Legacy tries whose handlers the current code is in. */
  private final List<Block> handling = new ArrayList<>();

  private int budget;

  RandomFunction(RandomModule module, Random random, int function, int size) {
    this.module = module;
    this.random = random;
    this.function = function;
    this.type = module.factory.module().functionType(function);
    this.budget = size / 2 + random.nextInt(size);
    this.locals = new ArrayList<>(type.params());
    locals.addAll(RandomModule.TYPES); // one of each at least
    locals.addAll(module.types(random.nextInt(8)));
  }

  void define() {
    Block body = new Block(BLOCK, new FuncType(List.of(), type.results()));
    labels.add(body);
    List<Instr> out = new ArrayList<>();
    RandomModule.burn(out);
    if (module.compilable) {
      Block inner = new Block(BLOCK, body.type);
      labels.set(0, inner);
      body.bodies.add(List.of(inner));
      inner.bodies.add(out);
    } else {
      body.bodies.add(out);
    }
    if (!statements(out, 2 + random.nextInt(12), 0)) {
      observeLocals(out);
      values(type.results(), out, 0);
    }
    List<ValueType> own = locals.subList(type.params().size(), locals.size());
    module.factory.define(function, List.copyOf(own), body);
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private ValueType anyType() {
    return RandomModule.TYPES.get(random.nextInt(4));
  }

  private int newLocal(ValueType localType) {
    locals.add(localType);
    return locals.size() - 1;
  }

  private int local(ValueType wanted) {
    List<Integer> fitting = new ArrayList<>();
    for (int i = 0; i < locals.size(); i++) {
      if (locals.get(i) == wanted) {
        fitting.add(i);
      }
    }
    return fitting.isEmpty()
        ? newLocal(wanted)
        : fitting.get(random.nextInt(Math.min(fitting.size(), 8)));
  }

  private static int global(ValueType wanted) {
    return RandomModule.FIRST_GLOBAL + RandomModule.TYPES.indexOf(wanted);
  }

  // ---------------------------------------------------------------- statements

  /** Adds statements; whether the last one never lets control pass. */
  private boolean statements(List<Instr> out, int count, int depth) {
    for (int i = 0; i < count && budget > 0; i++) {
      if (statement(out, depth)) {
        return true;
      }
    }
    return false;
  }

  private boolean statement(List<Instr> out, int depth) {
    budget--;
    boolean nest = depth < 6 && budget > 10;
    switch (random.nextInt(nest ? 30 : 14)) {
      case 0, 1, 2, 3 -> {
        ValueType valueType = anyType();
        value(valueType, out, depth);
        out.add(new Op(LOCAL_SET, local(valueType)));
      }
      case 4 -> {
        ValueType valueType = anyType();
        value(valueType, out, depth);
        out.add(new Op(GLOBAL_SET, global(valueType)));
      }
      case 5, 6 -> store(out, depth);
      case 7 -> bulk(out);
      case 8, 9 -> {
        call(out, null, depth);
      }
      case 10, 11, 12 -> branchIf(out, depth);
      case 13 -> {
        if (chance(30)) {
          return leave(out, depth);
        }
        branchIf(out, depth);
      }
      case 14, 15, 16 -> block(BLOCK, out, depth);
      case 17, 18 -> loop(out, depth);
      case 19, 20, 21 -> block(IF, out, depth);
      case 22, 23, 24 -> tryStatement(out, depth);
      case 25, 26, 27 -> bigSwitch(out, depth);
      case 28 -> {
        // Something conditional that leaves, such as a throw.
        value(I32, out, depth);
        List<Instr> then = new ArrayList<>();
        Block block = new Block(IF, FuncType.VOID);
        labels.add(block);
        leave(then, depth + 1);
        labels.remove(labels.size() - 1);
        block.bodies.add(then);
        out.add(block);
      }
      default -> deepStack(out, depth);
    }
    return false;
  }

  private void store(List<Instr> out, int depth) {
    ValueType valueType = anyType();
    address(out, depth);
    observable(valueType, out, depth);
    int[] stores =
        switch (valueType) {
          case I32 -> new int[] {0x36, 0x3a, 0x3b};
          case I64 -> new int[] {0x37, 0x3c, 0x3d, 0x3e};
          case F32 -> new int[] {0x38};
          default -> new int[] {0x39};
        };
    out.add(new Op(stores[random.nextInt(stores.length)], 0, offset()));
  }

  private long offset() {
    // Chicory's interpreter takes offsets of 2 GiB and more for negative ones.
    return chance(3) && module.compilable
        ? 0xffff_fff0L
        : chance(3) ? 0x7fff_ffffL : random.nextInt(2000);
  }

  private void address(List<Instr> out, int depth) {
    value(I32, out, depth + 1);
    // Chicory's interpreter wraps the address of store8 and i64.store32; its compiler does not.
    if (!chance(2) || !module.compilable) {
      out.add(new Op(I32_CONST, 0x3fff));
      out.add(new Op(I32_AND));
    }
  }

  private void bulk(List<Instr> out) {
    boolean fill = chance(50);
    for (int i = 0; i < 3; i++) {
      out.add(new Op(LOCAL_GET, local(I32)));
      out.add(new Op(I32_CONST, chance(3) ? -1 : 0xfff));
      out.add(new Op(I32_AND));
    }
    out.add(fill ? new Op(MEMORY_FILL) : new Op(MEMORY_COPY));
  }

  private void branchIf(List<Instr> out, int depth) {
    Block target = anyLabel();
    if (target.opcode() == LOOP && chance(50)) {
      target = anyLabel();
    }
    values(target.labelTypes(), out, depth);
    value(I32, out, depth + 1);
    out.add(new Branch(BR_IF, target));
    target.labelTypes().forEach(each -> out.add(new Op(DROP)));
  }

  private Block anyLabel() {
    return labels.get(random.nextInt(labels.size()));
  }

  /** Leaves the list for good. */
  private boolean leave(List<Instr> out, int depth) {
    switch (random.nextInt(7)) {
      case 0, 1 -> {
        Block target = anyLabel();
        values(target.labelTypes(), out, depth);
        out.add(new Branch(BR, target));
      }
      case 2 -> {
        values(type.results(), out, depth);
        out.add(new Op(RETURN));
      }
      case 3, 4 -> branchTable(out, depth);
      default -> {
        if (!handling.isEmpty() && chance(60)) {
          out.add(new Branch(RETHROW, handling.get(random.nextInt(handling.size()))));
        } else {
          int tag = random.nextInt(RandomModule.TAGS.size());
          RandomModule.TAGS.get(tag).params().forEach(each -> observable(each, out, depth));
          out.add(new Op(THROW, tag));
        }
      }
    }
    return true;
  }

  private void branchTable(List<Instr> out, int depth) {
    List<ValueType> wanted = anyLabel().labelTypes();
    List<Block> fitting = labels.stream().filter(l -> l.labelTypes().equals(wanted)).toList();
    List<Block> targets = new ArrayList<>();
    int count = random.nextInt(6) + 1;
    for (int i = 0; i < count; i++) {
      targets.add(fitting.get(random.nextInt(fitting.size())));
    }
    values(wanted, out, depth);
    selector(count - 1, out, depth);
    out.add(new BranchTable(targets));
  }

  /** An index for a table of {@code length} entries besides the default. */
  private void selector(int length, List<Instr> out, int depth) {
    switch (random.nextInt(4)) {
      case 0 -> {
        int[] edges = {length - 1, length, length + 1, -1, Integer.MIN_VALUE, length + 2, 0};
        out.add(new Op(I32_CONST, edges[random.nextInt(edges.length)]));
      }
      case 1 -> value(I32, out, depth + 1);
      default -> {
        value(I32, out, depth + 1);
        out.add(new Op(I32_CONST, Integer.highestOneBit(Math.max(1, length)) * 2 - 1));
        out.add(new Op(I32_AND));
      }
    }
  }

  // ---------------------------------------------------------------- blocks

  /** Opens a label around what {@code content} adds. */
  private List<Instr> inside(Block block, java.util.function.Consumer<List<Instr>> content) {
    labels.add(block);
    List<Instr> body = new ArrayList<>();
    content.accept(body);
    labels.remove(labels.size() - 1);
    return body;
  }

  private List<Instr> body(Block block, List<ValueType> results, int depth) {
    return inside(
        block,
        out -> {
          if (!statements(out, 1 + random.nextInt(5), depth + 1)) {
            values(results, out, depth + 1);
          }
        });
  }

  private List<ValueType> someResults() {
    return chance(60) ? List.of() : module.types(chance(80) ? 1 : 2);
  }

  private void block(int opcode, List<Instr> out, int depth) {
    List<ValueType> results = someResults();
    List<ValueType> params =
        module.compilable || chance(90) ? List.of() : module.types(1 + random.nextInt(2));
    values(params, out, depth + 1);
    if (opcode == IF) {
      value(I32, out, depth + 1);
    }
    Block block = new Block(opcode, new FuncType(params, results));
    int bodies = opcode == IF && (chance(60) || !results.equals(params)) ? 2 : 1;
    for (int i = 0; i < bodies; i++) {
      block.bodies.add(withParams(params, body(block, results, depth)));
    }
    out.add(block);
    discard(results, out);
  }

  private List<Instr> withParams(List<ValueType> params, List<Instr> body) {
    List<Instr> all = new ArrayList<>();
    discard(params, all);
    all.addAll(body);
    return all;
  }

  /** Takes values from the stack, to locals or not. */
  private void discard(List<ValueType> types, List<Instr> out) {
    for (int i = types.size() - 1; i >= 0; i--) {
      out.add(chance(70) ? new Op(LOCAL_SET, local(types.get(i))) : new Op(DROP));
    }
  }

  private void loop(List<Instr> out, int depth) {
    List<ValueType> params = chance(80) ? List.of() : module.types(1);
    List<ValueType> results = someResults();
    int counter = newLocal(I32);
    out.add(new Op(I32_CONST, 0));
    out.add(new Op(LOCAL_SET, counter));
    values(params, out, depth + 1);
    Block loop = new Block(LOOP, new FuncType(params, results));
    loop.bodies.add(
        inside(
            loop,
            code -> {
              discard(params, code);
              RandomModule.burn(code);
              if (statements(code, 1 + random.nextInt(5), depth + 1)) {
                return;
              }
              values(params, code, depth + 1);
              code.add(new Op(LOCAL_GET, counter));
              code.add(new Op(I32_CONST, 1));
              code.add(new Op(I32_ADD));
              code.add(new Op(LOCAL_TEE, counter));
              code.add(new Op(I32_CONST, random.nextInt(6)));
              code.add(new Op(0x48)); // less than
              code.add(new Branch(BR_IF, loop));
              params.forEach(each -> code.add(new Op(DROP)));
              values(results, code, depth + 1);
            }));
    out.add(loop);
    discard(results, out);
  }

  /** Nested blocks around a br_table, with the code of a case behind each; mostly in a loop. */
  private void bigSwitch(List<Instr> out, int depth) {
    int count = 8 + random.nextInt(12);
    Block done = new Block(BLOCK, FuncType.VOID);
    Block again = new Block(LOOP, FuncType.VOID);
    boolean inLoop = chance(60);
    labels.add(done);
    if (inLoop) {
      labels.add(again);
    }
    List<Block> cases = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      cases.add(new Block(BLOCK, FuncType.VOID));
      labels.add(cases.get(i));
    }
    List<Instr> code = new ArrayList<>();
    int before = budget;
    if (chance(40)) {
      statements(code, 1 + random.nextInt(3), depth + 2);
    }
    if (code.isEmpty() || !code.get(code.size() - 1).endsControl()) {
      if (chance(90)) {
        List<Block> targets = new ArrayList<>();
        int entries = count + random.nextInt(4);
        for (int i = 0; i < entries; i++) {
          targets.add(chance(80) ? cases.get(random.nextInt(count)) : voidLabel());
        }
        targets.add(chance(50) ? cases.get(random.nextInt(count)) : voidLabel());
        selector(entries, code, depth + 2);
        code.add(new BranchTable(targets));
      }
    }
    int share = Math.max(3, (before - budget) / count);
    for (int i = count - 1; i >= 0; i--) {
      cases.get(i).bodies.add(code);
      labels.remove(labels.size() - 1);
      code = new ArrayList<>();
      // Sometimes code before the block, inside the next.
      if (chance(15) && statements(code, 1, depth + 2)) {
        code = new ArrayList<>();
      }
      code.add(cases.get(i));
      boolean ended = statements(code, 1 + random.nextInt(share), depth + 2);
      if (!ended && chance(50)) {
        Block target = inLoop && chance(50) ? again : chance(50) ? done : voidLabel();
        code.add(new Branch(BR, target));
      }
    }
    if (inLoop) {
      labels.remove(labels.size() - 1);
      List<Instr> round = new ArrayList<>();
      RandomModule.burn(round);
      round.addAll(code);
      again.bodies.add(round);
      code = new ArrayList<>(List.of(again));
    }
    labels.remove(labels.size() - 1);
    done.bodies.add(code);
    out.add(done);
  }

  private Block voidLabel() {
    for (int i = 0; i < 10; i++) {
      Block label = anyLabel();
      if (label.labelTypes().isEmpty()) {
        return label;
      }
    }
    return labels.stream()
        .filter(label -> label.labelTypes().isEmpty())
        .reduce((first, second) -> second)
        .orElseThrow();
  }

  // ---------------------------------------------------------------- exceptions

  private void tryStatement(List<Instr> out, int depth) {
    if (module.legacy) {
      legacyTry(out, depth);
    } else {
      tryTable(out, depth);
    }
  }

  private void legacyTry(List<Instr> out, int depth) {
    List<ValueType> results = someResults();
    Block block = new Block(TRY, new FuncType(List.of(), results));
    block.bodies.add(throwingBody(block, results, depth));
    if (chance(25)) {
      block.delegate = anyLabel();
    } else {
      Set<Integer> tags = new LinkedHashSet<>();
      int clauses = random.nextInt(4);
      for (int i = 0; i < clauses; i++) {
        tags.add(random.nextInt(RandomModule.TAGS.size()));
      }
      block.catchTags.addAll(tags);
      if (chance(50)) {
        block.catchTags.add(CatchClause.ALL);
      }
      for (int tag : block.catchTags) {
        List<ValueType> payload =
            tag == CatchClause.ALL ? List.of() : RandomModule.TAGS.get(tag).params();
        handling.add(block);
        block.bodies.add(withParams(payload, body(block, results, depth)));
        handling.remove(handling.size() - 1);
      }
    }
    out.add(block);
    discard(results, out);
  }

  private void tryTable(List<Instr> out, int depth) {
    List<ValueType> results = someResults();
    Block table = new Block(TRY_TABLE, new FuncType(List.of(), results));
    List<Block> own = new ArrayList<>();
    int clauses = 1 + random.nextInt(3);
    for (int i = 0; i < clauses; i++) {
      int tag = random.nextInt(RandomModule.TAGS.size() + 1) - 1;
      List<ValueType> payload =
          tag == CatchClause.ALL ? List.of() : RandomModule.TAGS.get(tag).params();
      List<Block> fitting =
          labels.stream().filter(label -> label.labelTypes().equals(payload)).toList();
      Block target;
      if (!fitting.isEmpty() && chance(60)) {
        target = fitting.get(random.nextInt(fitting.size()));
      } else {
        target = new Block(BLOCK, new FuncType(List.of(), payload));
        own.add(target);
      }
      table.catches.add(new CatchClause(tag, target));
    }
    own.forEach(labels::add);
    table.bodies.add(throwingBody(table, results, depth));
    own.forEach(each -> labels.remove(labels.size() - 1));
    List<Instr> code = new ArrayList<>();
    code.add(table);
    discard(results, code);
    for (int i = own.size() - 1; i >= 0; i--) {
      values(own.get(i).type.results(), code, depth + 1);
      own.get(i).bodies.add(code);
      code = new ArrayList<>();
      code.add(own.get(i));
      discard(own.get(i).type.results(), code);
      if (chance(30)) {
        observeLocals(code);
      }
    }
    out.addAll(code);
  }

  /** Makes a wrong value in any local show in the globals. */
  private void observeLocals(List<Instr> out) {
    for (int local = 0; local < locals.size(); local++) {
      ValueType each = locals.get(local);
      if (each == I32 || each == I64) {
        boolean wide = each == I64;
        out.add(new Op(GLOBAL_GET, global(each)));
        out.add(new Op(wide ? I64_CONST : I32_CONST, 31));
        out.add(new Op(wide ? 0x7e : 0x6c));
        out.add(new Op(LOCAL_GET, local));
        out.add(new Op(wide ? 0x7c : I32_ADD));
        out.add(new Op(GLOBAL_SET, global(each)));
      }
    }
  }

  /** A body of a try that does something and then throws, mostly. */
  private List<Instr> throwingBody(Block block, List<ValueType> results, int depth) {
    return inside(
        block,
        out -> {
          if (statements(out, 2 + random.nextInt(6), depth + 1)) {
            return;
          }
          Block when = new Block(IF, FuncType.VOID);
          value(I32, out, depth + 3);
          int tag = random.nextInt(RandomModule.TAGS.size());
          List<Instr> then = new ArrayList<>();
          RandomModule.TAGS.get(tag).params().forEach(each -> leaf(each, then));
          then.add(new Op(THROW, tag));
          when.bodies.add(then);
          out.add(when);
          if (!statements(out, 1 + random.nextInt(3), depth + 1)) {
            values(results, out, depth + 1);
          }
        });
  }

  // ---------------------------------------------------------------- values

  private void values(List<ValueType> types, List<Instr> out, int depth) {
    types.forEach(each -> value(each, out, depth + 1));
  }

  /** A value whose bits are the same on every engine. */
  private void observable(ValueType wanted, List<Instr> out, int depth) {
    value(wanted, out, depth + 1);
    if (wanted == F32) {
      out.add(new Op(CALL, module.plainF32));
    } else if (wanted == F64) {
      out.add(new Op(CALL, module.plainF64));
    }
  }

  private void value(ValueType wanted, List<Instr> out, int depth) {
    budget--;
    if (budget <= 0 || depth > 9) {
      leaf(wanted, out);
      return;
    }
    switch (random.nextInt(24)) {
      case 0, 1, 2, 3, 4, 5 -> leaf(wanted, out);
      case 6, 7, 8, 9, 10 -> binary(wanted, out, depth);
      case 11, 12 -> convert(wanted, out, depth);
      case 13, 14 -> load(wanted, out, depth);
      case 15 -> {
        value(wanted, out, depth + 1);
        out.add(new Op(LOCAL_TEE, local(wanted)));
      }
      case 16 -> {
        value(wanted, out, depth + 1);
        value(wanted, out, depth + 1);
        value(I32, out, depth + 1);
        out.add(chance(50) ? new Op(SELECT) : new Op(SELECT_TYPED, wanted.code()));
      }
      case 17 -> call(out, wanted, depth);
      case 18 -> branchThrough(wanted, out, depth);
      case 19, 20, 21 -> {
        boolean isIf = chance(35);
        if (isIf) {
          value(I32, out, depth + 1);
        }
        Block block = new Block(isIf ? IF : BLOCK, new FuncType(List.of(), List.of(wanted)));
        for (int i = 0; i < (isIf ? 2 : 1); i++) {
          block.bodies.add(body(block, List.of(wanted), depth + 1));
        }
        out.add(block);
      }
      case 22 -> {
        if (wanted == I32) {
          pageOperation(out);
        } else {
          out.add(new Op(GLOBAL_GET, global(wanted)));
        }
      }
      default -> out.add(new Op(GLOBAL_GET, global(wanted)));
    }
  }

  private void pageOperation(List<Instr> out) {
    if (chance(80)) {
      out.add(new Op(MEMORY_SIZE));
    } else {
      out.add(new Op(I32_CONST, random.nextInt(3)));
      out.add(new Op(MEMORY_GROW));
    }
  }

  private void leaf(ValueType wanted, List<Instr> out) {
    if (chance(60)) {
      out.add(new Op(LOCAL_GET, local(wanted)));
      return;
    }
    out.add(
        switch (wanted) {
          case I32 -> {
            int[] edges = {0, 1, -1, 2, 3, 5, 127, 128, -128, Integer.MIN_VALUE, Integer.MAX_VALUE};
            yield new Op(
                I32_CONST, chance(50) ? edges[random.nextInt(edges.length)] : random.nextInt(40));
          }
          case I64 -> new Op(I64_CONST, chance(50) ? random.nextLong() : random.nextInt(5) - 2);
          case F32 ->
              new Op(
                  F32_CONST,
                  Float.floatToRawIntBits(
                          chance(20) ? -0.0f : chance(50) ? 0 : random.nextInt(2000) / 8f - 90)
                      & 0xffff_ffffL);
          default ->
              new Op(
                  F64_CONST,
                  Double.doubleToRawLongBits(
                      chance(20) ? -0.0 : chance(50) ? 0 : random.nextInt(2000) / 8.0 - 90));
        });
  }

  private void binary(ValueType wanted, List<Instr> out, int depth) {
    if (wanted == I32 && chance(35)) {
      compare(out, depth);
      return;
    }
    value(wanted, out, depth + 1);
    if (chance(8) && (wanted == I32 || wanted == I64)) {
      // A division, mostly by something that is not zero.
      boolean safe = chance(95);
      if (wanted == I32) {
        if (safe) {
          out.add(new Op(I32_CONST, 3 + random.nextInt(9)));
        } else {
          value(I32, out, depth + 1);
        }
        out.add(new Op(0x6d + random.nextInt(4)));
      } else {
        if (safe) {
          out.add(new Op(I64_CONST, 3 + random.nextInt(9)));
        } else {
          value(I64, out, depth + 1);
        }
        out.add(new Op(0x7f + random.nextInt(4)));
      }
      return;
    }
    value(wanted, out, depth + 1);
    int[] choices =
        switch (wanted) {
          case I32 -> I32_BINARY;
          case I64 -> I64_BINARY;
          case F32 -> F32_BINARY;
          default -> F64_BINARY;
        };
    out.add(new Op(choices[random.nextInt(choices.length)]));
  }

  private void compare(List<Instr> out, int depth) {
    ValueType of = anyType();
    value(of, out, depth + 1);
    if ((of == I32 || of == I64) && chance(25)) {
      out.add(new Op(of == I32 ? 0x45 : 0x50));
      return;
    }
    value(of, out, depth + 1);
    out.add(
        new Op(
            switch (of) {
              case I32 -> 0x46 + random.nextInt(10);
              case I64 -> 0x51 + random.nextInt(10);
              case F32 -> 0x5b + random.nextInt(6);
              default -> 0x61 + random.nextInt(6);
            }));
  }

  private void convert(ValueType wanted, List<Instr> out, int depth) {
    int[][] choices = // opcode and operand type
        switch (wanted) {
          case I32 ->
              new int[][] {
                {0xa7, 1},
                {0xbc, 2},
                {0xfc00, 2},
                {0xfc02, 3},
                {0x67, 0},
                {0x68, 0},
                {0x69, 0},
                {0xc0, 0},
                {0xc1, 0}
              };
          case I64 ->
              new int[][] {
                {0xac, 0},
                {0xad, 0},
                {0xbd, 3},
                {0xfc04, 2},
                {0xfc06, 3},
                {0x79, 1},
                {0x7a, 1},
                {0x7b, 1},
                {0xc2, 1},
                {0xc3, 1},
                {0xc4, 1}
              };
          case F32 ->
              new int[][] {
                {0xb2, 0}, {0xb3, 0}, {0xb4, 1}, {0xb6, 3}, {0xbe, 0}, {0x8b, 2}, {0x8c, 2},
                {0x8d, 2}, {0x8e, 2}, {0x8f, 2}, {0x90, 2}, {0x91, 2}
              };
          default ->
              new int[][] {
                {0xb7, 0}, {0xb8, 0}, {0xb9, 1}, {0xbb, 2}, {0xbf, 1}, {0x99, 3}, {0x9a, 3},
                {0x9b, 3}, {0x9c, 3}, {0x9d, 3}, {0x9e, 3}, {0x9f, 3}
              };
        };
    int[] choice = choices[random.nextInt(choices.length)];
    observable(RandomModule.TYPES.get(choice[1]), out, depth);
    out.add(new Op(choice[0]));
  }

  private void load(ValueType wanted, List<Instr> out, int depth) {
    address(out, depth);
    int[] loads =
        switch (wanted) {
          case I32 -> new int[] {0x28, 0x2c, 0x2d, 0x2e, 0x2f};
          case I64 -> new int[] {0x29, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35};
          case F32 -> new int[] {0x2a};
          default -> new int[] {0x2b};
        };
    out.add(new Op(loads[random.nextInt(loads.length)], 0, offset()));
    if (wanted == F32) {
      out.add(new Op(CALL, module.plainF32));
    } else if (wanted == F64) {
      out.add(new Op(CALL, module.plainF64));
    }
  }

  private void branchThrough(ValueType wanted, List<Instr> out, int depth) {
    List<Block> fitting =
        labels.stream().filter(l -> l.labelTypes().equals(List.of(wanted))).toList();
    value(wanted, out, depth + 1);
    if (!fitting.isEmpty()) {
      value(I32, out, depth + 1);
      out.add(new Branch(BR_IF, fitting.get(random.nextInt(fitting.size()))));
    }
  }

  /** Calls something, direct or not; leaves a value of type {@code wanted}, or none if null. */
  private void call(List<Instr> out, ValueType wanted, int depth) {
    int callee = module.host;
    if (chance(80) && !module.functions.isEmpty()) {
      List<Integer> known = module.functions;
      callee = chance(15) ? function : known.get(random.nextInt(known.size()));
    }
    FuncType calleeType = module.factory.module().functionType(callee);
    calleeType.params().forEach(each -> observable(each, out, depth));
    if (chance(30) && callee != module.host) {
      // Often the wrong entry: a trap, or another function of the type.
      if (chance(80)) {
        out.add(new Op(I32_CONST, 1 + random.nextInt(RandomModule.TABLE_SIZE - 3)));
      } else {
        value(I32, out, depth + 1);
      }
      int typeIndex = module.factory.module().typeIndex(calleeType);
      out.add(new Op(CALL_INDIRECT, typeIndex, 0));
    } else {
      out.add(new Op(CALL, callee));
    }
    discard(calleeType.results(), out);
    if (wanted != null) {
      leaf(wanted, out);
    }
  }

  /** A long computation that keeps values on the stack throughout. */
  private void deepStack(List<Instr> out, int depth) {
    List<ValueType> below = module.types(1 + random.nextInt(6));
    values(below, out, depth);
    ValueType valueType = anyType();
    value(valueType, out, depth + 1);
    int length = random.nextInt(25);
    for (int i = 0; i < length && budget > -20; i++) {
      value(valueType, out, depth + 3);
      out.add(new Op(Map.of(I32, 0x6a, I64, 0x85, F32, 0x92, F64, 0xa2).get(valueType)));
    }
    out.add(new Op(LOCAL_SET, local(valueType)));
    discard(below, out);
  }
}
