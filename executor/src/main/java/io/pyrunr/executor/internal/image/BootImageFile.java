package io.pyrunr.executor.internal.image;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.pyrunr.executor.internal.image.BootImage.RandomState;
import io.pyrunr.executor.internal.io.WholeFile;
import io.pyrunr.executor.internal.link.ModulesImage;
import io.pyrunr.executor.internal.python.InstanceState;
import io.pyrunr.wasm.runtime.LinearMemory;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * The form of a {@link BootImage} outside of the JVM: fingerprint, figures, and the runs of memory
 * pages that are not zero (about half are), closed by a CRC-32.
 *
 * <p>The fingerprint names everything the image was made from. One that differs means that the
 * image is stale, not that it is broken; both read as "no image".
 */
public final class BootImageFile {
  private static final byte[] MAGIC = "PYRUNR-IMAGE-2\n".getBytes(US_ASCII);
  private static final int PAGE = 4096;
  private static final int BUFFER = 1 << 16;
  private static final byte[] ZEROS = new byte[PAGE];

  private BootImageFile() {}

  /** Writes the file, or leaves what was there: never half of it. */
  static void write(Path file, BootImage image, byte[] fingerprint) throws IOException {
    WholeFile.write(file, out -> write(out, image, fingerprint));
  }

  static void write(OutputStream target, BootImage image, byte[] fingerprint) throws IOException {
    CheckedOutputStream checked =
        new CheckedOutputStream(new BufferedOutputStream(target, BUFFER), new CRC32());
    DataOutputStream out = new DataOutputStream(checked);
    out.write(MAGIC);
    out.write(fingerprint);
    out.writeInt(image.run());
    out.writeInt(image.randomStates().size());
    for (RandomState each : image.randomStates()) {
      out.writeInt(each.address());
      out.writeInt(each.size());
    }
    InstanceState state = image.state();
    out.writeInt(state.globals().length);
    for (long value : state.globals()) {
      out.writeLong(value);
    }
    out.writeInt(state.references().length);
    for (int i = 0; i < state.references().length; i++) {
      out.writeInt(state.references()[i]);
      out.writeShort(state.owners()[i]);
    }
    ModulesImageData.write(out, state.modules());
    LinearMemory memory = new LinearMemory(0, BootImage.MAXIMUM_PAGES);
    memory.load(state.memory());
    out.writeInt(memory.stackPointer);
    writeMemory(out, memory.readBytes(0, state.memory().size()));
    out.writeLong(checked.getChecksum().getValue());
    out.flush();
  }

  private static void writeMemory(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    int start = 0;
    while (start < bytes.length) {
      if (isZero(bytes, start)) {
        start += PAGE;
        continue;
      }
      int end = start + PAGE;
      while (end < bytes.length && !isZero(bytes, end)) {
        end += PAGE;
      }
      out.writeInt(start);
      out.writeInt(end - start);
      out.write(bytes, start, end - start);
      start = end;
    }
    out.writeInt(-1);
  }

  private static boolean isZero(byte[] bytes, int page) {
    return Arrays.equals(bytes, page, page + PAGE, ZEROS, 0, PAGE);
  }

  /**
   * Reads an image.
   *
   * @return the image, or null if it was made from something else
   * @throws IOException if the stream is cut, changed or no image at all
   */
  static BootImage read(InputStream source, byte[] fingerprint) throws IOException {
    CheckedInputStream checked =
        new CheckedInputStream(new BufferedInputStream(source, BUFFER), new CRC32());
    DataInputStream in = new DataInputStream(checked);
    if (!Arrays.equals(in.readNBytes(MAGIC.length), MAGIC)) {
      throw new IOException("not a boot image");
    }
    if (!Arrays.equals(in.readNBytes(fingerprint.length), fingerprint)) {
      return null;
    }
    int run = in.readInt();
    List<RandomState> randomStates = new ArrayList<>();
    for (int left = length(in, 1 << 16); left > 0; left--) {
      randomStates.add(new RandomState(in.readInt(), in.readInt()));
    }
    long[] globals = new long[length(in, 1 << 16)];
    for (int i = 0; i < globals.length; i++) {
      globals[i] = in.readLong();
    }
    int[] references = new int[length(in, 1 << 20)];
    short[] owners = new short[references.length];
    for (int i = 0; i < references.length; i++) {
      references[i] = in.readInt();
      owners[i] = in.readShort();
    }
    ModulesImage modules = ModulesImageData.read(in);
    int stackPointer = in.readInt();
    byte[] bytes = readMemory(in);
    long sum = checked.getChecksum().getValue();
    if (in.readLong() != sum) {
      throw new IOException("the boot image's checksum is wrong");
    }
    if (bytes.length % LinearMemory.PAGE_SIZE != 0) {
      throw new IOException("the boot image has a memory of " + bytes.length + " bytes");
    }
    InstanceState state =
        new InstanceState(
            LinearMemory.Snapshot.of(bytes, stackPointer), globals, references, owners, modules);
    return new BootImage(state, run, randomStates);
  }

  static int length(DataInputStream in, int maximum) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > maximum) {
      throw new IOException("the boot image has a length of " + length);
    }
    return length;
  }

  /** The checksum comes at the end, so the size may be nonsense; then Python is started anew. */
  private static byte[] memory(int size) throws IOException {
    try {
      return new byte[size];
    } catch (OutOfMemoryError e) {
      throw new IOException("the heap has no room for the boot image's " + size + " bytes", e);
    }
  }

  private static byte[] readMemory(DataInputStream in) throws IOException {
    byte[] bytes = memory(length(in, Integer.MAX_VALUE));
    for (int start = in.readInt(); start >= 0; start = in.readInt()) {
      int length = in.readInt();
      if (length < 0 || start > bytes.length - length) {
        throw new IOException("the boot image has a page outside of its memory");
      }
      in.readFully(bytes, start, length);
    }
    return bytes;
  }
}
