package io.pyrunr.wasm.internal.pass.link;

import static io.pyrunr.wasm.internal.ir.Opcodes.I32_ADD;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_CONST;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_STORE;
import static io.pyrunr.wasm.internal.ir.Opcodes.I32_SUB;

import io.pyrunr.wasm.format.WasmFormatException;
import io.pyrunr.wasm.internal.ir.FuncType;
import io.pyrunr.wasm.internal.ir.Instr;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.IrFunction;
import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.ir.IrModule.DataSegment;
import io.pyrunr.wasm.internal.ir.Opcodes;
import io.pyrunr.wasm.internal.pass.FunctionPass;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Carries out {@code __wasm_apply_data_relocs} at build time: once addresses are constants it is a
 * straight line of stores of constants, 500 KB of code in Pyodide's main module. Its stores become
 * part of the data and its body becomes empty.
 */
public final class DataRelocations implements FunctionPass {
  private static final String NAME = "__wasm_apply_data_relocs";

  private final IrModule module;
  private final int memoryBase;
  private final int function;

  /** To be applied after {@link LinkTimeConstants}. */
  public DataRelocations(IrModule module, int memoryBase) {
    this.module = module;
    this.memoryBase = memoryBase;
    this.function = module.exportedFunction(NAME);
  }

  @Override
  public void apply(IrFunction relocations) {
    if (relocations.index() != function) {
      return;
    }
    byte[] image = image();
    ByteBuffer data = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
    Deque<Integer> stack = new ArrayDeque<>();
    for (Instr instr : relocations.body().body()) {
      if (!(instr instanceof Op op)) {
        throw new WasmFormatException(NAME + " is not a straight line");
      }
      switch (op.opcode()) {
        case I32_CONST -> stack.push(op.index());
        case I32_ADD -> stack.push(stack.pop() + stack.pop());
        case I32_SUB -> stack.push(-stack.pop() + stack.pop());
        case I32_STORE -> {
          int value = stack.pop();
          data.putInt(stack.pop() + (int) op.b - memoryBase, value);
        }
        default ->
            throw new WasmFormatException(
                NAME + " has instruction 0x" + Integer.toHexString(op.opcode()));
      }
    }
    module.data().clear();
    module.data().add(new DataSegment(List.of(new Op(I32_CONST, memoryBase)), trimmed(image)));
    relocations.setBody(new Block(Opcodes.BLOCK, FuncType.VOID, List.of()));
  }

  /** All of the module's static data, in one piece. */
  private byte[] image() {
    int end = memoryBase;
    for (DataSegment segment : module.data()) {
      end = Math.max(end, offset(segment) + segment.bytes().length);
    }
    // Zero-initialised data is not in any segment, and relocations may point into it.
    int size = module.dylink().memorySize();
    byte[] image = new byte[Math.max(size, end - memoryBase)];
    for (DataSegment segment : module.data()) {
      byte[] bytes = segment.bytes();
      System.arraycopy(bytes, 0, image, offset(segment) - memoryBase, bytes.length);
    }
    return image;
  }

  private int offset(DataSegment segment) {
    if (segment.offset() == null) {
      throw new WasmFormatException("relocations over a passive data segment");
    }
    int value = 0;
    for (Op op : segment.offset()) {
      switch (op.opcode()) {
        case I32_CONST -> value += op.index();
        case Opcodes.GLOBAL_GET -> value += memoryBase; // no other global occurs in an offset
        case I32_ADD -> {}
        default -> throw new WasmFormatException("data segment at a computed offset");
      }
    }
    return value;
  }

  private static byte[] trimmed(byte[] image) {
    int end = image.length;
    while (end > 0 && image[end - 1] == 0) {
      end--;
    }
    return Arrays.copyOf(image, end);
  }
}
