package io.pyrunr.wasm.internal.pass;

import io.pyrunr.wasm.internal.ir.FuncType;
import io.pyrunr.wasm.internal.ir.Instr;
import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.Instr.Branch;
import io.pyrunr.wasm.internal.ir.Instr.BranchTable;
import io.pyrunr.wasm.internal.ir.Instr.CatchClause;
import io.pyrunr.wasm.internal.ir.Instr.Op;
import io.pyrunr.wasm.internal.ir.IrFunction;
import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.ir.Opcodes;
import io.pyrunr.wasm.internal.ir.ValueType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The meaning of wasm, walked over the tree: slow, plain, and the only engine here that knows
 * legacy exceptions. It is what the passes are compared with; the tests compare it with Chicory's
 * interpreter where that one can follow.
 *
 * <p>Values are bit patterns in a long: an i32 sign-extended, an f32 as its bits.
 */
final class Evaluator {
  /** A wasm trap. */
  static final class Trap extends RuntimeException {
    Trap(String why) {
      super(why, null, false, false);
    }
  }

  /** A wasm exception on its way. */
  static final class Thrown extends RuntimeException {
    final int tag;
    final long[] payload;

    /** The block that a {@code delegate} named; handlers before it are passed by. */
    Block delegatedTo;

    Thrown(int tag, long[] payload) {
      super("tag " + tag, null, false, false);
      this.tag = tag;
      this.payload = payload;
    }
  }

  /** An imported function. */
  interface Host {
    long[] call(long[] args);
  }

  private final IrModule module;
  private final Map<Integer, IrFunction> decoded = new HashMap<>();
  private final Map<Integer, Integer> table;
  private final List<Host> hosts;
  private final int maximumPages;
  final long[] globals;
  byte[] memory;
  private ByteBuffer view;

  Evaluator(IrModule module, int pages, int maximumPages, List<Host> hosts) {
    this.module = module;
    this.maximumPages = maximumPages;
    this.hosts = hosts;
    this.table = staticTable(module);
    this.globals = new long[module.importedGlobalCount() + module.globals().size()];
    resize(pages);
  }

  private static SortedMap<Integer, Integer> staticTable(IrModule module) {
    SortedMap<Integer, Integer> functions = new TreeMap<>();
    for (IrModule.ElementSegment segment : module.elements()) {
      int at = segment.offset().get(0).index();
      for (int function : segment.functions()) {
        functions.put(at++, function);
      }
    }
    return functions;
  }

  private void resize(int pages) {
    memory = memory == null ? new byte[pages << 16] : Arrays.copyOf(memory, pages << 16);
    view = ByteBuffer.wrap(memory).order(ByteOrder.LITTLE_ENDIAN);
  }

  long[] call(int function, long... args) {
    if (function < module.importedFunctionCount()) {
      return hosts.get(function).call(args);
    }
    IrFunction ir = decoded.computeIfAbsent(function, module::decode);
    Frame frame = new Frame(ir, args);
    try {
      frame.run(ir.body().body());
    } catch (Thrown e) {
      e.delegatedTo = null; // to this function's caller
      throw e;
    }
    return frame.take(ir.type().results().size());
  }

  private final class Frame {
    private final IrFunction function;
    private final long[] locals;
    private final Map<Block, Thrown> caught = new IdentityHashMap<>();
    private long[] stack = new long[64];
    private int height;

    Frame(IrFunction function, long[] args) {
      this.function = function;
      this.locals = Arrays.copyOf(args, function.locals().size());
    }

    void push(long value) {
      if (height == stack.length) {
        stack = Arrays.copyOf(stack, 2 * height);
      }
      stack[height++] = value;
    }

    void push(boolean value) {
      push(value ? 1 : 0);
    }

    void pushFloat(float value) {
      push(Float.floatToRawIntBits(value));
    }

    void pushDouble(double value) {
      push(Double.doubleToRawLongBits(value));
    }

    long pop() {
      return stack[--height];
    }

    int popInt() {
      return (int) pop();
    }

    float popFloat() {
      return Float.intBitsToFloat(popInt());
    }

    double popDouble() {
      return Double.longBitsToDouble(pop());
    }

    long[] take(int count) {
      height -= count;
      return Arrays.copyOfRange(stack, height, height + count);
    }

    /** Leaves the topmost {@code count} values on what was there before. */
    void unwind(int to, int count) {
      System.arraycopy(stack, height - count, stack, to, count);
      height = to + count;
    }

    /** Runs a list; the block whose label is branched to, or null. */
    Block run(List<Instr> list) {
      for (Instr instr : list) {
        Block target = step(instr);
        if (target != null) {
          return target;
        }
      }
      return null;
    }

    Block step(Instr instr) {
      if (instr instanceof Op op) {
        if (op.opcode() == Opcodes.RETURN) {
          return function.body();
        }
        operate(op);
        return null;
      }
      if (instr instanceof Branch branch) {
        if (branch.opcode() == Opcodes.RETHROW) {
          throw caught.get(branch.target);
        }
        return branch.opcode() == Opcodes.BR || popInt() != 0 ? branch.target : null;
      }
      if (instr instanceof BranchTable branches) {
        int last = branches.targets.size() - 1;
        int index = popInt();
        return branches.targets.get(index < 0 || index > last ? last : index);
      }
      Block block = (Block) instr;
      try {
        return enter(block);
      } catch (Thrown e) {
        if (e.delegatedTo == block) {
          e.delegatedTo = null;
        }
        throw e;
      }
    }

    Block enter(Block block) {
      List<Instr> body = block.body();
      if (block.opcode() == Opcodes.IF && popInt() == 0) {
        body = block.bodies.size() > 1 ? block.bodies.get(1) : List.of();
      }
      int base = height - block.type.params().size();
      if (block.opcode() == Opcodes.LOOP) {
        Block target = run(body);
        while (target == block) {
          unwind(base, block.type.params().size());
          target = run(body);
        }
        return target;
      }
      Block target;
      try {
        target = run(body);
      } catch (Thrown e) {
        target = handle(block, e, base);
      }
      if (target == block) {
        unwind(base, block.type.results().size());
        return null;
      }
      return target;
    }

    /** What a block does with an exception thrown in its first body. */
    Block handle(Block block, Thrown e, int base) {
      if (e.delegatedTo == block) {
        e.delegatedTo = null;
      }
      if (e.delegatedTo != null) {
        throw e;
      }
      if (block.delegate != null) {
        e.delegatedTo = block.delegate;
        throw e;
      }
      for (CatchClause clause : block.catches) {
        if (clause.tag == CatchClause.ALL || clause.tag == e.tag) {
          height = base;
          pushPayload(clause.tag, e);
          return clause.target;
        }
      }
      for (int i = 0; i < block.catchTags.size(); i++) {
        int tag = block.catchTags.get(i);
        if (tag == CatchClause.ALL || tag == e.tag) {
          height = base;
          pushPayload(tag, e);
          caught.put(block, e);
          return run(block.bodies.get(i + 1));
        }
      }
      throw e;
    }

    void pushPayload(int tag, Thrown e) {
      if (tag != CatchClause.ALL) {
        for (long value : e.payload) {
          push(value);
        }
      }
    }

    void operate(Op op) {
      int opcode = op.opcode();
      switch (opcode) {
        case Opcodes.UNREACHABLE -> throw new Trap("unreachable");
        case Opcodes.CALL -> invoke(op.index());
        case Opcodes.CALL_INDIRECT -> {
          Integer callee = table.get(popInt());
          if (callee == null || !module.functionType(callee).equals(module.type(op.index()))) {
            throw new Trap("indirect call");
          }
          invoke(callee);
        }
        case Opcodes.THROW -> {
          FuncType type = module.type(module.tagTypes().get(op.index()));
          throw new Thrown(op.index(), take(type.params().size()));
        }
        case Opcodes.DROP -> pop();
        case Opcodes.SELECT, Opcodes.SELECT_TYPED -> {
          boolean first = popInt() != 0;
          long b = pop();
          long a = pop();
          push(first ? a : b);
        }
        case Opcodes.LOCAL_GET -> push(locals[op.index()]);
        case Opcodes.LOCAL_SET -> locals[op.index()] = pop();
        case Opcodes.LOCAL_TEE -> locals[op.index()] = stack[height - 1];
        case Opcodes.GLOBAL_GET -> push(globals[op.index()]);
        case Opcodes.GLOBAL_SET -> globals[op.index()] = pop();
        case Opcodes.I32_CONST -> push(op.index());
        case Opcodes.I64_CONST, Opcodes.F64_CONST -> push(op.a);
        case Opcodes.F32_CONST -> push((int) op.a);
        case Opcodes.MEMORY_SIZE -> push(memory.length >> 16);
        case Opcodes.MEMORY_GROW -> {
          int pages = memory.length >> 16;
          long wanted = pages + (popInt() & 0xffff_ffffL);
          push(wanted > maximumPages ? -1 : pages);
          if (wanted <= maximumPages) {
            resize((int) wanted);
          }
        }
        case Opcodes.MEMORY_COPY -> {
          int size = popInt();
          int from = popInt();
          int to = popInt();
          check(from, size);
          check(to, size);
          System.arraycopy(memory, from, memory, to, size);
        }
        case Opcodes.MEMORY_FILL -> {
          int size = popInt();
          byte value = (byte) popInt();
          int to = popInt();
          check(to, size);
          Arrays.fill(memory, to, to + size, value);
        }
        default -> {
          if (opcode >= Opcodes.I32_LOAD && opcode <= 0x35) {
            load(opcode, op.b);
          } else if (opcode >= Opcodes.I32_STORE && opcode <= Opcodes.I64_STORE32) {
            store(opcode, op.b);
          } else {
            Numerics.apply(opcode, this);
          }
        }
      }
    }

    void invoke(int callee) {
      for (long result : call(callee, take(module.functionType(callee).params().size()))) {
        push(result);
      }
    }

    void check(int address, int size) {
      if ((address & 0xffff_ffffL) + (size & 0xffff_ffffL) > memory.length) {
        throw new Trap("out of bounds");
      }
    }

    int address(long offset, int width) {
      long address = (popInt() & 0xffff_ffffL) + offset;
      if (address + width > memory.length) {
        throw new Trap("out of bounds");
      }
      return (int) address;
    }

    void load(int opcode, long offset) {
      int width =
          switch (opcode) {
            case 0x28, 0x2a, 0x34, 0x35 -> 4;
            case 0x29, 0x2b -> 8;
            case 0x2c, 0x2d, 0x30, 0x31 -> 1;
            default -> 2;
          };
      int at = address(offset, width);
      push(
          switch (opcode) {
            case 0x28, 0x2a, 0x34 -> view.getInt(at);
            case 0x29, 0x2b -> view.getLong(at);
            case 0x2c, 0x30 -> view.get(at);
            case 0x2d, 0x31 -> view.get(at) & 0xff;
            case 0x2e, 0x32 -> view.getShort(at);
            case 0x2f, 0x33 -> view.getShort(at) & 0xffff;
            default -> view.getInt(at) & 0xffff_ffffL;
          });
    }

    void store(int opcode, long offset) {
      long value = pop();
      switch (opcode) {
        case 0x36, 0x38, 0x3e -> view.putInt(address(offset, 4), (int) value);
        case 0x37, 0x39 -> view.putLong(address(offset, 8), value);
        case 0x3a, 0x3c -> view.put(address(offset, 1), (byte) value);
        default -> view.putShort(address(offset, 2), (short) value);
      }
    }
  }

  /** Instructions that only compute. */
  private static final class Numerics {
    private Numerics() {}

    static void apply(int opcode, Frame f) {
      if (opcode >= 0x45 && opcode <= 0x4f) {
        compareInts(opcode, f);
      } else if (opcode >= 0x50 && opcode <= 0x5a) {
        compareLongs(opcode, f);
      } else if (opcode >= 0x5b && opcode <= 0x60) {
        float b = f.popFloat();
        compareDoubles(opcode - 0x5b, f.popFloat(), b, f); // widening keeps the order
      } else if (opcode >= 0x61 && opcode <= 0x66) {
        double b = f.popDouble();
        compareDoubles(opcode - 0x61, f.popDouble(), b, f);
      } else if (opcode <= 0x78) {
        ints(opcode, f);
      } else if (opcode <= 0x8a) {
        longs(opcode, f);
      } else if (opcode <= 0x98) {
        floats(opcode, f);
      } else if (opcode <= 0xa6) {
        doubles(opcode, f);
      } else {
        convert(opcode, f);
      }
    }

    private static void compareInts(int opcode, Frame f) {
      int b = f.popInt();
      if (opcode == 0x45) {
        f.push(b == 0);
        return;
      }
      int a = f.popInt();
      int unsigned = Integer.compareUnsigned(a, b);
      f.push(
          switch (opcode) {
            case 0x46 -> a == b;
            case 0x47 -> a != b;
            case 0x48 -> a < b;
            case 0x49 -> unsigned < 0;
            case 0x4a -> a > b;
            case 0x4b -> unsigned > 0;
            case 0x4c -> a <= b;
            case 0x4d -> unsigned <= 0;
            case 0x4e -> a >= b;
            default -> unsigned >= 0;
          });
    }

    private static void compareLongs(int opcode, Frame f) {
      long b = f.pop();
      if (opcode == 0x50) {
        f.push(b == 0);
        return;
      }
      long a = f.pop();
      int unsigned = Long.compareUnsigned(a, b);
      f.push(
          switch (opcode) {
            case 0x51 -> a == b;
            case 0x52 -> a != b;
            case 0x53 -> a < b;
            case 0x54 -> unsigned < 0;
            case 0x55 -> a > b;
            case 0x56 -> unsigned > 0;
            case 0x57 -> a <= b;
            case 0x58 -> unsigned <= 0;
            case 0x59 -> a >= b;
            default -> unsigned >= 0;
          });
    }

    private static void compareDoubles(int comparison, double a, double b, Frame f) {
      f.push(
          switch (comparison) {
            case 0 -> a == b;
            case 1 -> a != b;
            case 2 -> a < b;
            case 3 -> a > b;
            case 4 -> a <= b;
            default -> a >= b;
          });
    }

    private static void ints(int opcode, Frame f) {
      int b = f.popInt();
      switch (opcode) {
        case 0x67 -> f.push(Integer.numberOfLeadingZeros(b));
        case 0x68 -> f.push(Integer.numberOfTrailingZeros(b));
        case 0x69 -> f.push(Integer.bitCount(b));
        default -> {
          int a = f.popInt();
          if (opcode >= 0x6d && opcode <= 0x70 && b == 0) {
            throw new Trap("division by zero");
          }
          if (opcode == 0x6d && a == Integer.MIN_VALUE && b == -1) {
            throw new Trap("overflow");
          }
          f.push(
              switch (opcode) {
                case 0x6a -> a + b;
                case 0x6b -> a - b;
                case 0x6c -> a * b;
                case 0x6d -> a / b;
                case 0x6e -> Integer.divideUnsigned(a, b);
                case 0x6f -> a % b;
                case 0x70 -> Integer.remainderUnsigned(a, b);
                case 0x71 -> a & b;
                case 0x72 -> a | b;
                case 0x73 -> a ^ b;
                case 0x74 -> a << b;
                case 0x75 -> a >> b;
                case 0x76 -> a >>> b;
                case 0x77 -> Integer.rotateLeft(a, b);
                case 0x78 -> Integer.rotateRight(a, b);
                default -> throw unknown(opcode);
              });
        }
      }
    }

    private static void longs(int opcode, Frame f) {
      long b = f.pop();
      switch (opcode) {
        case 0x79 -> f.push(Long.numberOfLeadingZeros(b));
        case 0x7a -> f.push(Long.numberOfTrailingZeros(b));
        case 0x7b -> f.push(Long.bitCount(b));
        default -> {
          long a = f.pop();
          if (opcode >= 0x7f && opcode <= 0x82 && b == 0) {
            throw new Trap("division by zero");
          }
          if (opcode == 0x7f && a == Long.MIN_VALUE && b == -1) {
            throw new Trap("overflow");
          }
          f.push(
              switch (opcode) {
                case 0x7c -> a + b;
                case 0x7d -> a - b;
                case 0x7e -> a * b;
                case 0x7f -> a / b;
                case 0x80 -> Long.divideUnsigned(a, b);
                case 0x81 -> a % b;
                case 0x82 -> Long.remainderUnsigned(a, b);
                case 0x83 -> a & b;
                case 0x84 -> a | b;
                case 0x85 -> a ^ b;
                case 0x86 -> a << b;
                case 0x87 -> a >> b;
                case 0x88 -> a >>> b;
                case 0x89 -> Long.rotateLeft(a, (int) b);
                case 0x8a -> Long.rotateRight(a, (int) b);
                default -> throw unknown(opcode);
              });
        }
      }
    }

    private static void floats(int opcode, Frame f) {
      float b = f.popFloat();
      switch (opcode) {
        case 0x8b -> f.push(Float.floatToRawIntBits(b) & 0x7fff_ffff);
        case 0x8c -> f.push(Float.floatToRawIntBits(b) ^ 0x8000_0000);
        case 0x8d -> f.pushFloat((float) Math.ceil(b));
        case 0x8e -> f.pushFloat((float) Math.floor(b));
        case 0x8f -> f.pushFloat((float) (b < 0 ? Math.ceil(b) : Math.floor(b)));
        case 0x90 -> f.pushFloat((float) Math.rint(b));
        case 0x91 -> f.pushFloat((float) Math.sqrt(b));
        default -> {
          float a = f.popFloat();
          f.pushFloat(
              switch (opcode) {
                case 0x92 -> a + b;
                case 0x93 -> a - b;
                case 0x94 -> a * b;
                case 0x95 -> a / b;
                case 0x96 -> Math.min(a, b);
                case 0x97 -> Math.max(a, b);
                case 0x98 -> Math.copySign(a, b);
                default -> throw unknown(opcode);
              });
        }
      }
    }

    private static void doubles(int opcode, Frame f) {
      double b = f.popDouble();
      switch (opcode) {
        case 0x99 -> f.push(Double.doubleToRawLongBits(b) & Long.MAX_VALUE);
        case 0x9a -> f.push(Double.doubleToRawLongBits(b) ^ Long.MIN_VALUE);
        case 0x9b -> f.pushDouble(Math.ceil(b));
        case 0x9c -> f.pushDouble(Math.floor(b));
        case 0x9d -> f.pushDouble(b < 0 ? Math.ceil(b) : Math.floor(b));
        case 0x9e -> f.pushDouble(Math.rint(b));
        case 0x9f -> f.pushDouble(Math.sqrt(b));
        default -> {
          double a = f.popDouble();
          f.pushDouble(
              switch (opcode) {
                case 0xa0 -> a + b;
                case 0xa1 -> a - b;
                case 0xa2 -> a * b;
                case 0xa3 -> a / b;
                case 0xa4 -> Math.min(a, b);
                case 0xa5 -> Math.max(a, b);
                case 0xa6 -> Math.copySign(a, b);
                default -> throw unknown(opcode);
              });
        }
      }
    }

    private static void convert(int opcode, Frame f) {
      switch (opcode) {
        case 0xa7 -> f.push(f.popInt());
        case 0xac -> f.push((long) f.popInt());
        case 0xad -> f.push(f.pop() & 0xffff_ffffL);
        case 0xb2 -> f.pushFloat(f.popInt());
        case 0xb3 -> f.pushFloat(f.pop() & 0xffff_ffffL);
        case 0xb4 -> f.pushFloat(f.pop());
        case 0xb6 -> f.pushFloat((float) f.popDouble());
        case 0xb7 -> f.pushDouble(f.popInt());
        case 0xb8 -> f.pushDouble(f.pop() & 0xffff_ffffL);
        case 0xb9 -> f.pushDouble(f.pop());
        case 0xbb -> f.pushDouble(f.popFloat());
        case 0xbc, 0xbd, 0xbe, 0xbf -> {} // bits stay bits
        case 0xc0, 0xc2 -> f.push((byte) f.pop());
        case 0xc1, 0xc3 -> f.push((short) f.pop());
        case 0xc4 -> f.push((int) f.pop());
        case 0xfc00 -> f.push((int) f.popFloat()); // Java's casts saturate as wasm's do
        case 0xfc02 -> f.push((int) f.popDouble());
        case 0xfc04 -> f.push((long) f.popFloat());
        case 0xfc06 -> f.push((long) f.popDouble());
        default -> throw unknown(opcode);
      }
    }

    private static IllegalStateException unknown(int opcode) {
      return new IllegalStateException("the evaluator has no 0x" + Integer.toHexString(opcode));
    }
  }

  /** Type of each global by index, imported ones included. */
  ValueType globalType(int index) {
    return module.globalType(index);
  }
}
