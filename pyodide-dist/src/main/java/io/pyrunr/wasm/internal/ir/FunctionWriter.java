package io.pyrunr.wasm.internal.ir;

import io.pyrunr.wasm.format.ByteSink;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.Instr.Branch;
import io.pyrunr.wasm.internal.ir.Instr.BranchTable;
import io.pyrunr.wasm.internal.ir.Instr.CatchClause;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import java.util.ArrayList;
import java.util.List;

/** Encodes a function's tree as code. */
final class FunctionWriter {
  private final IrModule module;
  private final ByteSink out = new ByteSink();
  private final List<Block> open = new ArrayList<>();

  FunctionWriter(IrModule module) {
    this.module = module;
  }

  byte[] write(IrFunction function) {
    writeLocals(
        function.locals().subList(function.type().params().size(), function.locals().size()));
    open.add(function.body());
    writeList(function.body().body());
    out.u8(Opcodes.END);
    return out.bytes();
  }

  private void writeLocals(List<ValueType> locals) {
    ByteSink runs = new ByteSink();
    int count = 0;
    for (int i = 0; i < locals.size(); count++) {
      int end = i;
      while (end < locals.size() && locals.get(end) == locals.get(i)) {
        end++;
      }
      runs.u32(end - i).u8(locals.get(i).code());
      i = end;
    }
    out.u32(count).raw(runs.bytes());
  }

  private void writeList(List<Instr> list) {
    for (Instr instr : list) {
      if (instr instanceof Op op) {
        writeOp(op);
      } else if (instr instanceof Branch branch) {
        out.u8(branch.opcode()).u32(depth(branch.target));
      } else if (instr instanceof BranchTable table) {
        out.u8(Opcodes.BR_TABLE).u32(table.targets.size() - 1);
        table.targets.forEach(target -> out.u32(depth(target)));
      } else {
        writeBlock((Block) instr);
      }
    }
  }

  private void writeBlock(Block block) {
    out.u8(block.opcode());
    writeBlockType(block.type);
    if (block.opcode() == Opcodes.TRY_TABLE) {
      out.u32(block.catches.size());
      for (CatchClause clause : block.catches) {
        if (clause.tag == CatchClause.ALL) {
          out.u8(2);
        } else {
          out.u8(0).u32(clause.tag);
        }
        out.u32(depth(clause.target));
      }
    }
    open.add(block);
    for (int i = 0; i < block.bodies.size(); i++) {
      if (i > 0) {
        writeClause(block, i - 1);
      }
      writeList(block.bodies.get(i));
    }
    open.remove(open.size() - 1);
    if (block.delegate != null) {
      out.u8(Opcodes.DELEGATE).u32(depth(block.delegate));
    } else {
      out.u8(Opcodes.END);
    }
  }

  private void writeClause(Block block, int clause) {
    if (block.opcode() == Opcodes.IF) {
      out.u8(Opcodes.ELSE);
    } else if (block.catchTags.get(clause) == CatchClause.ALL) {
      out.u8(Opcodes.CATCH_ALL);
    } else {
      out.u8(Opcodes.CATCH).u32(block.catchTags.get(clause));
    }
  }

  private void writeBlockType(FuncType type) {
    if (!type.params().isEmpty() || type.results().size() > 1) {
      out.s64(module.typeIndex(type));
    } else if (type.results().isEmpty()) {
      out.u8(0x40);
    } else {
      out.u8(type.results().get(0).code());
    }
  }

  private int depth(Block target) {
    for (int i = open.size() - 1; i >= 0; i--) {
      if (open.get(i) == target) {
        return open.size() - 1 - i;
      }
    }
    throw new IllegalStateException("branch to a block that does not enclose it");
  }

  private void writeOp(Op op) {
    int opcode = op.opcode();
    if (opcode > 0xff) {
      out.u8(opcode >> 8).u32(opcode & 0xff);
    } else {
      out.u8(opcode);
    }
    switch (opcode) {
      case Opcodes.I32_CONST, Opcodes.I64_CONST -> out.s64(op.a);
      case Opcodes.F32_CONST -> out.fixed(op.a, 4);
      case Opcodes.F64_CONST -> out.fixed(op.a, 8);
      case Opcodes.REF_NULL -> out.u8(op.index());
      case Opcodes.SELECT_TYPED -> out.u8(1).u8(op.index());
      case Opcodes.CALL, Opcodes.REF_FUNC -> out.u32(ModuleWriter.position(module, op.index()));
      case Opcodes.CALL_INDIRECT,
          Opcodes.MEMORY_INIT,
          Opcodes.MEMORY_COPY,
          Opcodes.TABLE_INIT,
          Opcodes.TABLE_COPY ->
          out.u32(op.index()).u32((int) op.b);
      case Opcodes.THROW,
          Opcodes.LOCAL_GET,
          Opcodes.LOCAL_SET,
          Opcodes.LOCAL_TEE,
          Opcodes.GLOBAL_GET,
          Opcodes.GLOBAL_SET,
          Opcodes.TABLE_GET,
          Opcodes.TABLE_SET,
          Opcodes.MEMORY_SIZE,
          Opcodes.MEMORY_GROW,
          Opcodes.DATA_DROP,
          Opcodes.MEMORY_FILL,
          Opcodes.ELEM_DROP,
          Opcodes.TABLE_GROW,
          Opcodes.TABLE_SIZE,
          Opcodes.TABLE_FILL ->
          out.u32(op.index());
      default -> {
        if (opcode >= Opcodes.I32_LOAD && opcode <= Opcodes.I64_STORE32) {
          out.u32(op.index()).u32((int) op.b);
        }
      }
    }
  }
}
