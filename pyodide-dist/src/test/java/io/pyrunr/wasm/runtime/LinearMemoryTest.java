package io.pyrunr.wasm.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.dylibso.chicory.wasm.ChicoryException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

class LinearMemoryTest {
  private static final int PAGE = 65536;

  private record Access(String name, int width, IntConsumer at) {}

  private static List<Access> accesses(LinearMemory m) {
    return List.of(
        new Access("read", 1, m::read),
        new Access("readShort", 2, m::readShort),
        new Access("readU16", 2, m::readU16),
        new Access("readInt", 4, m::readInt),
        new Access("readLong", 8, m::readLong),
        new Access("readFloat", 4, m::readFloat),
        new Access("readDouble", 8, m::readDouble),
        new Access("writeByte", 1, at -> m.writeByte(at, (byte) 1)),
        new Access("writeShort", 2, at -> m.writeShort(at, (short) 1)),
        new Access("writeI32", 4, at -> m.writeI32(at, 1)),
        new Access("writeLong", 8, at -> m.writeLong(at, 1)),
        new Access("writeF32", 4, at -> m.writeF32(at, 1)),
        new Access("writeF64", 8, at -> m.writeF64(at, 1)),
        new Access("write", 3, at -> m.write(at, new byte[3], 0, 3)),
        new Access("readBytes", 3, at -> m.readBytes(at, 3)),
        new Access("fillBytes", 3, at -> m.fillBytes(at, 3, (byte) 1)),
        new Access("copy to", 3, at -> m.copy(at, 0, 3)),
        new Access("copy from", 3, at -> m.copy(0, at, 3)));
  }

  @Test
  void everyAccessEndsAtTheLastByte() {
    LinearMemory memory = new LinearMemory(2, 4);
    for (Access access : accesses(memory)) {
      access.at().accept(0);
      access.at().accept(2 * PAGE - access.width());
      for (int outside :
          new int[] {
            2 * PAGE - access.width() + 1, 2 * PAGE, -1, Integer.MIN_VALUE, Integer.MAX_VALUE
          }) {
        byte[] before = memory.readBytes(0, 2 * PAGE);
        assertThrows(
            ChicoryException.class, () -> access.at().accept(outside), access.name() + outside);
        assertArrayEquals(before, memory.readBytes(0, 2 * PAGE), access.name());
      }
    }
    memory.fillBytes(2 * PAGE, 0, (byte) 1);
    memory.copy(2 * PAGE, 2 * PAGE, 0);
    assertThrows(ChicoryException.class, () -> memory.fillBytes(2 * PAGE + 1, 0, (byte) 1));
    assertThrows(ChicoryException.class, () -> memory.fillBytes(0, -1, (byte) 1));
  }

  /** What compiled code calls: base and offset are unsigned, their sum has 33 bits. */
  @Test
  void sumsOfBaseAndOffsetDoNotWrap() {
    LinearMemory memory = new LinearMemory(1, 1);
    int[][] sums = {
      {-1, 1}, {-4, 4}, {Integer.MAX_VALUE, 1}, {Integer.MAX_VALUE, Integer.MAX_VALUE},
      {PAGE - 3, 0}, {0, PAGE - 3}, {-PAGE, PAGE}, {Integer.MIN_VALUE, Integer.MAX_VALUE}
    };
    for (int[] sum : sums) {
      assertThrows(
          RuntimeException.class,
          () -> CompiledSupport.memoryReadInt(sum[0], sum[1], memory),
          Arrays.toString(sum));
      assertThrows(
          RuntimeException.class,
          () -> CompiledSupport.memoryWriteInt(sum[0], 1, sum[1], memory),
          Arrays.toString(sum));
      assertThrows(
          RuntimeException.class,
          () -> CompiledSupport.memoryWriteLong(sum[0], 1, sum[1], memory),
          Arrays.toString(sum));
    }
    assertArrayEquals(new byte[PAGE], memory.readBytes(0, PAGE));
    CompiledSupport.memoryWriteInt(PAGE - 8, 7, 4, memory);
    assertEquals(7, CompiledSupport.memoryReadInt(PAGE - 5, 1, memory));
  }

  @Test
  void growsUpToItsLimit() {
    LinearMemory memory = new LinearMemory(1, 3);
    memory.writeI32(100, 5);
    assertEquals(1, memory.grow(0));
    assertEquals(1, memory.grow(2));
    assertEquals(3, memory.grow(0));
    assertEquals(-1, memory.grow(1));
    assertEquals(-1, memory.grow(-1));
    assertEquals(-1, memory.grow(Integer.MAX_VALUE));
    assertEquals(5, memory.readInt(100));
    assertEquals(0, memory.readInt(3 * PAGE - 4));
    memory.setMaximumPages(1_000_000);
    assertEquals(LinearMemory.MAXIMUM_PAGES, memory.maximumPages());
  }

  /** Any run of writes, near the borders of tracked pages above all, is undone. */
  @Test
  void restoreUndoesEveryWrite() {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      LinearMemory memory = new LinearMemory(3, 6);
      writeSomewhere(memory, random, 40);
      memory.stackPointer = 77;
      LinearMemory.Snapshot snapshot = memory.capture();
      byte[] expected = memory.readBytes(0, memory.pages() * PAGE);
      for (int round = 0; round < 5; round++) {
        writeSomewhere(memory, random, 1 + random.nextInt(60));
        memory.stackPointer = round;
        if (random.nextInt(3) == 0) {
          memory.grow(1 + random.nextInt(2));
          writeSomewhere(memory, random, 5);
        }
        memory.restore(snapshot);
        assertEquals(3, memory.pages());
        assertEquals(77, memory.stackPointer);
        assertArrayEquals(expected, memory.readBytes(0, 3 * PAGE), "seed " + seed);
      }
      LinearMemory other = new LinearMemory(1, 6);
      other.load(snapshot);
      writeSomewhere(other, random, 30);
      other.restore(snapshot);
      assertArrayEquals(expected, other.readBytes(0, 3 * PAGE), "loaded, seed " + seed);
      memory.restore(snapshot);
      assertArrayEquals(expected, memory.readBytes(0, 3 * PAGE), "snapshots are not shared");
    }
  }

  @Test
  void startsWithASnapshotsContents() {
    byte[] contents = new byte[2 * PAGE];
    new Random(1).nextBytes(contents);
    LinearMemory.Snapshot snapshot = LinearMemory.Snapshot.of(contents.clone(), 5);
    LinearMemory memory = new LinearMemory(snapshot, 4);
    assertEquals(2, memory.pages());
    assertEquals(2, memory.initialPages());
    assertEquals(5, memory.stackPointer);
    memory.writeI32(PAGE, 1);
    memory.load(snapshot);
    assertArrayEquals(contents, memory.readBytes(0, 2 * PAGE));
    assertEquals(0, memory.restore(snapshot));
    assertThrows(
        IllegalArgumentException.class, () -> LinearMemory.Snapshot.of(new byte[PAGE + 1], 0));
  }

  /** Grown memory goes back to the array from before, of which only marked pages are restored. */
  @Test
  void growthLeavesNothingBehind() {
    LinearMemory memory = new LinearMemory(2, 8);
    memory.writeI32(4096, 11);
    LinearMemory.Snapshot snapshot = memory.capture();
    for (int round = 0; round < 3; round++) {
      memory.writeI32(100, 1); // before it grows
      memory.grow(1);
      memory.writeI32(4096, 2); // afterwards
      memory.grow(2);
      memory.writeI32(2 * PAGE, 3);
      assertEquals(1, memory.readInt(100));
      assertEquals(2, memory.restore(snapshot));
      assertEquals(2, memory.pages());
      assertEquals(0, memory.readInt(100));
      assertEquals(11, memory.readInt(4096));
      assertEquals(0, memory.restore(snapshot));
      memory.grow(1);
      assertEquals(0, memory.readInt(2 * PAGE));
      memory.restore(snapshot);
    }
  }

  @Test
  void restoresOnlyWhatItKeepsTrackOf() {
    LinearMemory memory = new LinearMemory(1, 1);
    LinearMemory.Snapshot first = memory.capture();
    memory.writeI32(0, 1);
    memory.capture();
    assertThrows(IllegalArgumentException.class, () -> memory.restore(first));
  }

  private static void writeSomewhere(LinearMemory memory, Random random, int count) {
    int size = memory.pages() * PAGE;
    for (int i = 0; i < count; i++) {
      // Around the border of a 4 KiB page, with a base and an offset.
      int at = Math.max(0, random.nextInt(size >> 12) * 4096 - random.nextInt(12));
      at = Math.min(at, size - 16);
      int base = random.nextInt(at + 1);
      int offset = at - base;
      long value = random.nextLong();
      switch (random.nextInt(16)) {
        case 0 -> CompiledSupport.memoryWriteByte(base, (byte) value, offset, memory);
        case 1 -> CompiledSupport.memoryWriteShort(base, (short) value, offset, memory);
        case 2 -> CompiledSupport.memoryWriteInt(base, (int) value, offset, memory);
        case 3 -> CompiledSupport.memoryWriteLong(base, value, offset, memory);
        case 4 -> CompiledSupport.memoryWriteFloat(base, (float) value, offset, memory);
        case 5 -> CompiledSupport.memoryWriteDouble(base, value, offset, memory);
        case 6 -> memory.writeByte(at, (byte) value);
        case 7 -> memory.writeShort(at, (short) value);
        case 8 -> memory.writeI32(at, (int) value);
        case 9 -> memory.writeLong(at, value);
        case 10 -> memory.writeF32(at, value);
        case 11 -> memory.writeF64(at, value);
        case 12 -> memory.fillBytes(at, Math.min(size - at, random.nextInt(9000)), (byte) value);
        case 13 -> memory.copy(at, random.nextInt(size - 16), 1 + random.nextInt(16));
        case 14 -> {
          byte[] bytes = new byte[1 + random.nextInt(16)];
          random.nextBytes(bytes);
          memory.write(at, bytes, 0, bytes.length);
        }
        default -> {
          if (random.nextInt(20) == 0) {
            memory.zero();
          }
        }
      }
    }
  }
}
