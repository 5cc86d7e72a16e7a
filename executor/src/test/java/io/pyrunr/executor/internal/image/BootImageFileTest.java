package io.pyrunr.executor.internal.image;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pyrunr.executor.internal.link.ModulesImage;
import io.pyrunr.executor.internal.python.InstanceState;
import io.pyrunr.wasm.runtime.LinearMemory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BootImageFileTest {
  private static final byte[] FINGERPRINT = new byte[32];
  private static final int HEADER = 500;

  private static BootImage image() {
    LinearMemory memory = new LinearMemory(3, 10);
    memory.write(5000, new byte[] {1, 2, 3}, 0, 3);
    memory.writeByte(3 * 65536 - 1, (byte) 9);
    memory.stackPointer = 77;
    ModulesImage.Module first =
        new ModulesImage.Module("/lib/a.so", 4096, 10, true, 1, List.of(), Map.of(), List.of());
    ModulesImage.Module second =
        new ModulesImage.Module(
            "/lib/b.so", 8192, 20, false, 1, List.of(0), Map.of(3, 30, 4, 31), List.of(-1L));
    InstanceState state =
        new InstanceState(
            memory.capture(),
            new long[] {1, -1},
            new int[] {-1, 5},
            new short[] {-1, 1},
            new ModulesImage(List.of(first, second), Map.of(1000, 0, 2000, 1)));
    return new BootImage(state, 12, List.of(new BootImage.RandomState(34, 2496)));
  }

  private static byte[] bytes() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BootImageFile.write(out, image(), FINGERPRINT);
    return out.toByteArray();
  }

  private static BootImage read(byte[] bytes, byte[] fingerprint) throws IOException {
    return BootImageFile.read(new ByteArrayInputStream(bytes), fingerprint);
  }

  @Test
  void comesBackAsItWas() throws IOException {
    BootImage back = read(bytes(), FINGERPRINT);
    InstanceState original = image().state();
    InstanceState state = back.state();
    assertArrayEquals(original.globals(), state.globals());
    assertArrayEquals(original.references(), state.references());
    assertArrayEquals(original.owners(), state.owners());
    assertEquals(original.modules(), state.modules());
    assertEquals(12, back.run());
    assertEquals(image().randomStates(), back.randomStates());
    LinearMemory expected = new LinearMemory(0, 10);
    expected.load(original.memory());
    LinearMemory memory = new LinearMemory(0, 10);
    memory.load(state.memory());
    assertEquals(77, memory.stackPointer);
    assertArrayEquals(expected.readBytes(0, 3 * 65536), memory.readBytes(0, state.memory().size()));
  }

  @Test
  void zeroPagesTakeNoSpace() throws IOException {
    assertEquals(true, bytes().length < 3 * 4096);
  }

  @Test
  void anotherFingerprintIsNoImage() throws IOException {
    byte[] other = FINGERPRINT.clone();
    other[31] = 1;
    assertNull(read(bytes(), other));
  }

  @Test
  void everyCutAndEveryFlippedBitIsNoticed() throws IOException {
    byte[] good = bytes();
    assertNotNull(read(good, FINGERPRINT));
    for (int length = 0; length < good.length; length += 97) {
      byte[] cut = Arrays.copyOf(good, length);
      assertThrows(IOException.class, () -> readOrFail(cut));
    }
    // Every byte of the lengths, which come first: one of them must not have memory run out.
    for (int at = 0; at < good.length; at += at < HEADER ? 1 : 61) {
      byte[] flipped = good.clone();
      flipped[at] ^= at < HEADER ? 0x70 : 0x10;
      assertThrows(IOException.class, () -> readOrFail(flipped));
    }
  }

  private static void readOrFail(byte[] bytes) throws IOException {
    if (read(bytes, FINGERPRINT) == null) {
      throw new IOException("stale");
    }
  }

  @Test
  void aFileIsReplacedAsAWhole(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("deep").resolve("x.image");
    BootImageFile.write(file, image(), FINGERPRINT);
    BootImageFile.write(file, image(), FINGERPRINT);
    try (var in = Files.newInputStream(file);
        var files = Files.list(file.getParent())) {
      assertNotNull(BootImageFile.read(in, FINGERPRINT));
      assertEquals(1, files.count());
    }
  }
}
