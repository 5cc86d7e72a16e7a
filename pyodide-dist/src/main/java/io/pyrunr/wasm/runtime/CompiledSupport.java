package io.pyrunr.wasm.runtime;

import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.WasmException;

/**
 * What compiled wasm calls for everything that is not a JVM instruction: our versions of methods of
 * Chicory's support class of the same names and descriptors, which the compiler puts in their
 * place. Chicory's methods that are not listed here stay as they are.
 *
 * <p>The reasons to replace: memory is {@link LinearMemory} and not an interface; interruption is
 * polled as {@link StopSignal} does; and Chicory 1.7.5 takes one exception tag for another of the
 * same signature, so that a longjmp would be caught as a C++ exception.
 */
public final class CompiledSupport {
  private CompiledSupport() {}

  public static void checkInterruption() {
    StopSignal.poll();
  }

  public static byte memoryReadByte(int base, int offset, LinearMemory memory) {
    return memory.loadByte(base, offset);
  }

  public static short memoryReadShort(int base, int offset, LinearMemory memory) {
    return memory.loadShort(base, offset);
  }

  public static int memoryReadInt(int base, int offset, LinearMemory memory) {
    return memory.loadInt(base, offset);
  }

  public static long memoryReadLong(int base, int offset, LinearMemory memory) {
    return memory.loadLong(base, offset);
  }

  public static float memoryReadFloat(int base, int offset, LinearMemory memory) {
    return memory.loadFloat(base, offset);
  }

  public static double memoryReadDouble(int base, int offset, LinearMemory memory) {
    return memory.loadDouble(base, offset);
  }

  public static void memoryWriteByte(int base, byte value, int offset, LinearMemory memory) {
    memory.storeByte(base, offset, value);
  }

  public static void memoryWriteShort(int base, short value, int offset, LinearMemory memory) {
    memory.storeShort(base, offset, value);
  }

  public static void memoryWriteInt(int base, int value, int offset, LinearMemory memory) {
    memory.storeInt(base, offset, value);
  }

  public static void memoryWriteLong(int base, long value, int offset, LinearMemory memory) {
    memory.storeLong(base, offset, value);
  }

  public static void memoryWriteFloat(int base, float value, int offset, LinearMemory memory) {
    memory.storeFloat(base, offset, value);
  }

  public static void memoryWriteDouble(int base, double value, int offset, LinearMemory memory) {
    memory.storeDouble(base, offset, value);
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
