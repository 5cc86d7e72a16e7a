package io.pyrunr.wasm.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.dylibso.chicory.runtime.Memory;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every access, at every edge of the address space: in bounds as wasm says, or an error. */
class CompiledSupportTest {
  private static final int SIZE = 2 * Memory.PAGE_SIZE;

  /** Bases and offsets, as unsigned numbers; each is combined with each. */
  private static final long[] EDGES = {
    0,
    1,
    7,
    8,
    4095,
    4096,
    SIZE - 8,
    SIZE - 4,
    SIZE - 1,
    SIZE,
    SIZE + 1,
    0x7fff_ffffL,
    0x8000_0000L,
    0x8000_0008L,
    0xffff_0000L,
    0xffff_fff8L,
    0xffff_fffcL,
    0xffff_ffffL
  };

  @FunctionalInterface
  private interface Access {
    void at(int base, int offset, LinearMemory memory);
  }

  static Stream<Arguments> reads() {
    return Stream.of(
        read("byte", 1, CompiledSupport::memoryReadByte),
        read("short", 2, CompiledSupport::memoryReadShort),
        read("int", 4, CompiledSupport::memoryReadInt),
        read("long", 8, CompiledSupport::memoryReadLong),
        read("float", 4, CompiledSupport::memoryReadFloat),
        read("double", 8, CompiledSupport::memoryReadDouble));
  }

  private static Arguments read(String type, int size, Access access) {
    return arguments(type, size, access);
  }

  static Stream<Arguments> writes() {
    return Stream.of(
        write("byte", 1, (b, o, m) -> CompiledSupport.memoryWriteByte(b, (byte) 1, o, m)),
        write("short", 2, (b, o, m) -> CompiledSupport.memoryWriteShort(b, (short) 257, o, m)),
        write("int", 4, (b, o, m) -> CompiledSupport.memoryWriteInt(b, 0x01010101, o, m)),
        write("long", 8, (b, o, m) -> CompiledSupport.memoryWriteLong(b, ONES, o, m)),
        write(
            "float",
            4,
            (b, o, m) ->
                CompiledSupport.memoryWriteFloat(b, Float.intBitsToFloat(0x01010101), o, m)),
        write(
            "double",
            8,
            (b, o, m) ->
                CompiledSupport.memoryWriteDouble(b, Double.longBitsToDouble(ONES), o, m)));
  }

  private static final long ONES = 0x0101_0101_0101_0101L;

  private static Arguments write(String type, int size, Access access) {
    return arguments(type, size, access);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("reads")
  void readsWithinBoundsOnly(String type, int size, Access access) {
    LinearMemory memory = new LinearMemory(2, 2);
    forEachEdge(
        size,
        (base, offset) -> access.at(base, offset, memory),
        (base, offset) ->
            assertThrows(RuntimeException.class, () -> access.at(base, offset, memory)));
  }

  /** What was written is also restored, in whatever page it ends. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("writes")
  void writesWithinBoundsOnlyAndIsUndone(String type, int size, Access access) {
    LinearMemory memory = new LinearMemory(2, 2);
    LinearMemory.Snapshot empty = memory.capture();
    byte[] zeros = new byte[SIZE];
    forEachEdge(
        size,
        (base, offset) -> {
          access.at(base, offset, memory);
          byte[] expected = new byte[SIZE];
          int address = base + offset;
          Arrays.fill(expected, address, address + size, (byte) 1);
          assertArrayEquals(expected, memory.readBytes(0, SIZE), base + " + " + offset);
          int pages = memory.restore(empty);
          assertEquals(1, pages, "pages restored");
          assertArrayEquals(zeros, memory.readBytes(0, SIZE), base + " + " + offset);
        },
        (base, offset) -> {
          assertThrows(RuntimeException.class, () -> access.at(base, offset, memory));
          assertArrayEquals(zeros, memory.readBytes(0, SIZE), base + " + " + offset);
        });
  }

  @FunctionalInterface
  private interface Place {
    void at(int base, int offset);
  }

  /** Offsets of 2 GiB and more are out of the question: Chicory's compiler lets none through. */
  private static void forEachEdge(int size, Place inside, Place outside) {
    for (long base : EDGES) {
      for (long offset : EDGES) {
        if (offset > Integer.MAX_VALUE) {
          continue;
        }
        Place place = base + offset + size <= SIZE ? inside : outside;
        place.at((int) base, (int) offset);
      }
    }
  }
}
