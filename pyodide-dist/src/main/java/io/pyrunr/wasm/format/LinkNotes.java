package io.pyrunr.wasm.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/**
 * What the tool chain leaves for the loader in a compiled side module, in custom sections.
 * Immutable.
 *
 * @param relocations to be carried out once the module's addresses are known
 * @param changingGlobals indices of the globals that its code sets while it runs: state, to be
 *     restored between jobs
 */
public record LinkNotes(List<Relocation> relocations, List<Integer> changingGlobals) {
  /** Name of the section with the relocations. */
  public static final String RELOCATIONS = "pyrunr.relocations";

  /** Name of the section with the globals. */
  public static final String GLOBALS = "pyrunr.globals";

  /**
   * One store of an i32. Each side is the value of a global, -1 for none, plus an offset.
   *
   * @param addressGlobal index of the global the address is relative to
   * @param addressOffset what is added to it
   * @param valueGlobal index of the global the value is relative to
   * @param valueOffset what is added to it
   */
  public record Relocation(
      int addressGlobal, int addressOffset, int valueGlobal, int valueOffset) {}

  /**
   * Reads both sections.
   *
   * @param section gives a custom section's content by name, or null if there is none, which reads
   *     as an empty one
   */
  public static LinkNotes read(Function<String, byte[]> section) {
    List<Relocation> relocations = new ArrayList<>();
    ByteBuffer in = buffer(section.apply(RELOCATIONS));
    while (in.hasRemaining()) {
      relocations.add(new Relocation(in.getInt(), in.getInt(), in.getInt(), in.getInt()));
    }
    List<Integer> globals = new ArrayList<>();
    in = buffer(section.apply(GLOBALS));
    while (in.hasRemaining()) {
      globals.add(in.getInt());
    }
    return new LinkNotes(List.copyOf(relocations), List.copyOf(globals));
  }

  private static ByteBuffer buffer(byte[] bytes) {
    return ByteBuffer.wrap(bytes == null ? new byte[0] : bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The content of {@link #RELOCATIONS}. */
  public static byte[] encode(List<Relocation> relocations) {
    ByteBuffer out = buffer(new byte[16 * relocations.size()]);
    for (Relocation each : relocations) {
      out.putInt(each.addressGlobal)
          .putInt(each.addressOffset)
          .putInt(each.valueGlobal)
          .putInt(each.valueOffset);
    }
    return out.array();
  }

  /** The content of {@link #GLOBALS}. */
  public static byte[] encodeGlobals(Collection<Integer> indices) {
    ByteBuffer out = buffer(new byte[4 * indices.size()]);
    indices.forEach(out::putInt);
    return out.array();
  }
}
