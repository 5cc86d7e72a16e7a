package io.pyrunr.wasm.internal.ir;

import io.pyrunr.wasm.format.ByteSource;
import io.pyrunr.wasm.format.WasmFormatException;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.Instr.Branch;
import io.pyrunr.wasm.internal.ir.Instr.BranchTable;
import io.pyrunr.wasm.internal.ir.Instr.CatchClause;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import java.util.ArrayList;
import java.util.List;

/** Decodes a function's code to a tree. Instructions that control never reaches are left out. */
final class FunctionReader {
  /** The limit of other engines too, agreed on in the WebAssembly JavaScript interface. */
  private static final int MOST_LOCALS = 50_000;

  /** The search for places to split one at takes longer than its size grows. */
  private static final int LARGEST = 2 << 20;

  /** Passes recurse into blocks; compilers nest a block per case of a switch. */
  private static final int DEEPEST = 3_000;

  private final IrModule module;
  private ByteSource in;
  private final List<Block> open = new ArrayList<>();
  private int locals;

  FunctionReader(IrModule module) {
    this.module = module;
  }

  IrFunction read(int function, byte[] code) {
    if (code.length > LARGEST) {
      throw new WasmFormatException(
          "function " + function + " has " + code.length + " bytes, the most are " + LARGEST);
    }
    in = new ByteSource(code);
    FuncType type = module.functionType(function);
    List<ValueType> locals = new ArrayList<>(type.params());
    int groups = in.count();
    for (int i = 0; i < groups; i++) {
      int count = in.u32();
      ValueType local = ValueType.of(in.u8());
      if (count < 0 || count > MOST_LOCALS - locals.size()) {
        throw new WasmFormatException(
            "function " + function + " has more than " + MOST_LOCALS + " locals");
      }
      for (int j = 0; j < count; j++) {
        locals.add(local);
      }
    }
    this.locals = locals.size();
    Block body = new Block(Opcodes.BLOCK, new FuncType(List.of(), type.results()));
    open.add(body);
    readBodies(body);
    if (in.hasMore()) {
      throw new WasmFormatException("function " + function + " has code after its end");
    }
    return new IrFunction(function, module.functionTypeIndex(function), type, locals, body);
  }

  /** Reads up to the end of {@code block}, which is the innermost open one. */
  private void readBodies(Block block) {
    List<Instr> list = newBody(block);
    boolean dead = false;
    while (true) {
      int opcode = in.u8();
      switch (opcode) {
        case Opcodes.END -> {
          open.remove(open.size() - 1);
          return;
        }
        case Opcodes.ELSE -> {
          expect(block.opcode() == Opcodes.IF && block.bodies.size() == 1, "else");
          list = newBody(block);
          dead = false;
        }
        case Opcodes.CATCH, Opcodes.CATCH_ALL -> {
          boolean isLast = block.catchTags.contains(CatchClause.ALL);
          expect(block.opcode() == Opcodes.TRY && !isLast, "catch");
          block.catchTags.add(opcode == Opcodes.CATCH ? tag() : CatchClause.ALL);
          list = newBody(block);
          dead = false;
        }
        case Opcodes.DELEGATE -> {
          expect(block.opcode() == Opcodes.TRY && block.bodies.size() == 1, "delegate");
          open.remove(open.size() - 1);
          block.delegate = label(in.u32());
          return;
        }
        case Opcodes.NOP -> {}
        default -> {
          Instr instr = readInstr(opcode);
          if (!dead) {
            list.add(instr);
          }
          dead |= instr.endsControl();
        }
      }
    }
  }

  private static void expect(boolean condition, String what) {
    if (!condition) {
      throw new WasmFormatException(what + " without its beginning");
    }
  }

  private int tag() {
    return IrModule.checked("tag", in.u32(), module.tagTypes().size());
  }

  private static List<Instr> newBody(Block block) {
    List<Instr> list = new ArrayList<>();
    block.bodies.add(list);
    return list;
  }

  private Block label(int depth) {
    if (depth < 0 || depth >= open.size()) {
      throw new WasmFormatException("branch depth " + depth + " of " + open.size());
    }
    return open.get(open.size() - 1 - depth);
  }

  private Instr readInstr(int opcode) {
    return switch (opcode) {
      case Opcodes.BLOCK, Opcodes.LOOP, Opcodes.IF, Opcodes.TRY, Opcodes.TRY_TABLE ->
          readBlock(opcode);
      case Opcodes.BR, Opcodes.BR_IF, Opcodes.RETHROW -> new Branch(opcode, label(in.u32()));
      case Opcodes.BR_TABLE -> {
        int count = in.count();
        List<Block> targets = new ArrayList<>();
        for (int i = 0; i <= count; i++) {
          targets.add(label(in.u32()));
        }
        yield new BranchTable(targets);
      }
      case Opcodes.SELECT_TYPED -> {
        if (in.u32() != 1) {
          throw new WasmFormatException("select of several values");
        }
        yield new Op(opcode, ValueType.of(in.u8()).code());
      }
      case Opcodes.PREFIX -> readPrefixed();
      case Opcodes.CALL_INDIRECT -> {
        int type = IrModule.checked("type", in.u32(), module.types().size());
        yield new Op(opcode, type, in.u32());
      }
      case Opcodes.I32_CONST, Opcodes.I64_CONST -> new Op(opcode, in.s64());
      case Opcodes.F32_CONST -> new Op(opcode, in.fixed(4));
      case Opcodes.F64_CONST -> new Op(opcode, in.fixed(8));
      case Opcodes.REF_NULL -> new Op(opcode, in.u8());
      case Opcodes.THROW -> new Op(opcode, tag());
      case Opcodes.LOCAL_GET, Opcodes.LOCAL_SET, Opcodes.LOCAL_TEE ->
          new Op(opcode, IrModule.checked("local", in.u32(), locals));
      case Opcodes.CALL, Opcodes.REF_FUNC -> {
        int callee = in.u32();
        module.functionType(IrModule.checked("function", callee, module.functionCount()));
        yield new Op(opcode, callee);
      }
      case Opcodes.GLOBAL_GET, Opcodes.GLOBAL_SET -> {
        int global = in.u32();
        module.globalType(global);
        yield new Op(opcode, global);
      }
      case Opcodes.TABLE_GET, Opcodes.TABLE_SET, Opcodes.MEMORY_SIZE, Opcodes.MEMORY_GROW ->
          new Op(opcode, in.u32());
      default -> readPlain(opcode);
    };
  }

  private Op readPlain(int opcode) {
    if (opcode >= Opcodes.I32_LOAD && opcode <= Opcodes.I64_STORE32) {
      return new Op(opcode, in.u32(), in.u32() & 0xffff_ffffL);
    }
    boolean numeric = opcode >= Opcodes.I32_EQZ && opcode <= Opcodes.I64_EXTEND32_S;
    boolean other =
        switch (opcode) {
          case Opcodes.UNREACHABLE,
              Opcodes.RETURN,
              Opcodes.DROP,
              Opcodes.SELECT,
              Opcodes.REF_IS_NULL ->
              true;
          default -> false;
        };
    if (!numeric && !other) {
      throw new WasmFormatException("unsupported instruction 0x" + Integer.toHexString(opcode));
    }
    return new Op(opcode);
  }

  private Op readPrefixed() {
    int opcode = Opcodes.PREFIX << 8 | in.u32();
    return switch (opcode) {
      case Opcodes.MEMORY_INIT, Opcodes.MEMORY_COPY, Opcodes.TABLE_INIT, Opcodes.TABLE_COPY ->
          new Op(opcode, in.u32(), in.u32());
      case Opcodes.DATA_DROP,
          Opcodes.MEMORY_FILL,
          Opcodes.ELEM_DROP,
          Opcodes.TABLE_GROW,
          Opcodes.TABLE_SIZE,
          Opcodes.TABLE_FILL ->
          new Op(opcode, in.u32());
      default -> {
        if (opcode < Opcodes.MEMORY_INIT) {
          yield new Op(opcode); // saturating truncations
        }
        throw new WasmFormatException("unsupported instruction 0x" + Integer.toHexString(opcode));
      }
    };
  }

  private Block readBlock(int opcode) {
    Block block = new Block(opcode, readBlockType());
    if (opcode == Opcodes.TRY_TABLE) {
      int clauses = in.count();
      for (int i = 0; i < clauses; i++) {
        int kind = in.u8();
        if (kind != 0 && kind != 2) {
          throw new WasmFormatException("catch clause with an exnref");
        }
        int tag = kind == 0 ? tag() : CatchClause.ALL;
        block.catches.add(new CatchClause(tag, label(in.u32())));
      }
    }
    if (open.size() == DEEPEST) {
      throw new WasmFormatException("blocks nested deeper than " + DEEPEST);
    }
    open.add(block);
    readBodies(block);
    return block;
  }

  private FuncType readBlockType() {
    int code = in.peek();
    if (code == 0x40) {
      in.u8();
      return FuncType.VOID;
    }
    if (code > 0x40 && code < 0x80) {
      return new FuncType(List.of(), List.of(ValueType.of(in.u8())));
    }
    return module.type((int) in.s64());
  }
}
