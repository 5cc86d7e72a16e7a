package io.pyrunr.wasm.runtime;

import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.WasmException;

/**
 * What compiled wasm calls for everything that is not a JVM instruction: our versions of methods of
 * Chicory's support class, called where the compiler wrote a call of one of the same name and
 * descriptor. Chicory copies its own into each module; these are there once for all modules, and so
 * is what the JIT compiler makes of them. Chicory's methods that are not listed here stay as they
 * are.
 *
 * <p>The reasons to replace: memory is {@link LinearMemory} and not an interface; and Chicory 1.7.5
 * takes one exception tag for another of the same signature, so that a longjmp would be caught as a
 * C++ exception.
 *
 * <p>The size of loads and stores is chosen: with more than 35 bytes of bytecode, C1 calls them and
 * C2 inlines them where they run often. Smaller ones C1 inlines everywhere; a var handle's inner
 * workings are then part of every access, profiled over and over, and in methods of 2 KB C1 runs
 * out of virtual registers and gives up. Bytes need no var handle. A test keeps watch.
 *
 * <p>Effective addresses are unsigned sums. A negative base is 2 GiB or more, out of any memory of
 * ours: alone it fails as an index, but with an offset it could come round to a small address, so
 * then it is checked. The offset is a constant where an access is inlined, so that no more is
 * compared than has to be. A sum that overflows is negative and fails as an index.
 */
public final class CompiledSupport {
  private CompiledSupport() {}

  public static byte memoryReadByte(int base, int offset, LinearMemory memory) {
    byte[] data = memory.data;
    int address = base + offset;
    if (offset != 0 && base < 0) {
      throw memory.outOfBounds(base, offset, Byte.BYTES);
    }
    return data[address];
  }

  public static short memoryReadShort(int base, int offset, LinearMemory memory) {
    byte[] data = memory.data;
    int address = base + offset;
    if (offset != 0 && base < 0) {
      throw memory.outOfBounds(base, offset, Short.BYTES);
    }
    return (short) LinearMemory.SHORT.get(data, address);
  }

  public static int memoryReadInt(int base, int offset, LinearMemory memory) {
    byte[] data = memory.data;
    int address = base + offset;
    if (offset != 0 && base < 0) {
      throw memory.outOfBounds(base, offset, Integer.BYTES);
    }
    return (int) LinearMemory.INT.get(data, address);
  }

  public static long memoryReadLong(int base, int offset, LinearMemory memory) {
    byte[] data = memory.data;
    int address = base + offset;
    if (offset != 0 && base < 0) {
      throw memory.outOfBounds(base, offset, Long.BYTES);
    }
    return (long) LinearMemory.LONG.get(data, address);
  }

  public static float memoryReadFloat(int base, int offset, LinearMemory memory) {
    byte[] data = memory.data;
    int address = base + offset;
    if (offset != 0 && base < 0) {
      throw memory.outOfBounds(base, offset, Float.BYTES);
    }
    return (float) LinearMemory.FLOAT.get(data, address);
  }

  public static double memoryReadDouble(int base, int offset, LinearMemory memory) {
    byte[] data = memory.data;
    int address = base + offset;
    if (offset != 0 && base < 0) {
      throw memory.outOfBounds(base, offset, Double.BYTES);
    }
    return (double) LinearMemory.DOUBLE.get(data, address);
  }

  public static void memoryWriteByte(int base, byte value, int offset, LinearMemory memory) {
    int address = offset != 0 && base < 0 ? base : base + offset;
    memory.data[address] = value;
    memory.written[address >>> LinearMemory.TRACK_SHIFT] = 1;
  }

  public static void memoryWriteShort(int base, short value, int offset, LinearMemory memory) {
    int address = base + offset;
    if (offset != 0 && base < 0) {
      throw memory.outOfBounds(base, offset, Short.BYTES);
    }
    LinearMemory.SHORT.set(memory.data, address, value);
    memory.written[address >>> LinearMemory.TRACK_SHIFT] = 1;
  }

  public static void memoryWriteInt(int base, int value, int offset, LinearMemory memory) {
    int address = base + offset;
    if (offset != 0 && base < 0) {
      throw memory.outOfBounds(base, offset, Integer.BYTES);
    }
    LinearMemory.INT.set(memory.data, address, value);
    memory.written[address >>> LinearMemory.TRACK_SHIFT] = 1;
  }

  public static void memoryWriteLong(int base, long value, int offset, LinearMemory memory) {
    int address = base + offset;
    if (offset != 0 && base < 0) {
      throw memory.outOfBounds(base, offset, Long.BYTES);
    }
    LinearMemory.LONG.set(memory.data, address, value);
    memory.written[address >>> LinearMemory.TRACK_SHIFT] = 1;
  }

  public static void memoryWriteFloat(int base, float value, int offset, LinearMemory memory) {
    int address = base + offset;
    if (offset != 0 && base < 0) {
      throw memory.outOfBounds(base, offset, Float.BYTES);
    }
    LinearMemory.FLOAT.set(memory.data, address, value);
    memory.written[address >>> LinearMemory.TRACK_SHIFT] = 1;
  }

  public static void memoryWriteDouble(int base, double value, int offset, LinearMemory memory) {
    int address = base + offset;
    if (offset != 0 && base < 0) {
      throw memory.outOfBounds(base, offset, Double.BYTES);
    }
    LinearMemory.DOUBLE.set(memory.data, address, value);
    memory.written[address >>> LinearMemory.TRACK_SHIFT] = 1;
  }

  public static void memoryCopy(int destination, int source, int size, LinearMemory memory) {
    memory.copy(destination, source, size);
  }

  public static void memoryFill(int offset, byte value, int size, LinearMemory memory) {
    memory.fillBytes(offset, size, value);
  }

  public static void memoryInit(
      int destination, int offset, int size, int segment, LinearMemory memory, Instance instance) {
    memory.initPassiveSegment(instance, segment, destination, offset, size);
  }

  public static void dataDrop(int segment, Instance instance) {
    ((LinearMemory) instance.memory()).drop(instance, segment);
  }

  public static int memoryGrow(int pages, LinearMemory memory) {
    return memory.grow(pages);
  }

  public static int memoryPages(LinearMemory memory) {
    return memory.pages();
  }

  public static int i32_ge_u(int a, int b) {
    return UnsignedComparison.I32_GE_U(a, b);
  }

  /**
   * Unlike Chicory's, the exception is not kept in a map of the instance: that map has one entry
   * per tag, so a second exception would replace the first. Our passes use no exnref and need no
   * map.
   */
  public static WasmException createWasmException(long[] args, int tag, Instance instance) {
    return new ThrownException(instance, tag, args == null ? new long[0] : args);
  }

  public static boolean exceptionMatches(WasmException exception, int tag, Instance instance) {
    return exception.instance().tag(exception.tagIdx()) == instance.tag(tag);
  }
}
