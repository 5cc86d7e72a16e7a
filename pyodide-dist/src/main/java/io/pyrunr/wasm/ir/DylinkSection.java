package io.pyrunr.wasm.ir;

import java.util.ArrayList;
import java.util.List;

/**
 * What a position-independent module asks of its loader. Source: the dynamic linking convention of
 * WebAssembly's tool-conventions, section {@code dylink.0}.
 *
 * @param memorySize bytes of static data
 * @param memoryAlignment of that data in bytes
 * @param tableSize table entries
 * @param tableAlignment of the first entry
 * @param needed names of the libraries to load before
 */
public record DylinkSection(
    int memorySize, int memoryAlignment, int tableSize, int tableAlignment, List<String> needed) {
  private static final String NAME = "dylink.0";
  private static final int MEMORY_INFO = 1;
  private static final int NEEDED = 2;

  /**
   * The section of {@code module}.
   *
   * @throws WasmFormatException if it has none
   */
  public static DylinkSection of(IrModule module) {
    byte[] bytes = module.customs().get(NAME);
    if (bytes == null) {
      throw new WasmFormatException("not a dynamic library: it has no " + NAME + " section");
    }
    int[] info = new int[4];
    List<String> needed = new ArrayList<>();
    ByteSource in = new ByteSource(bytes);
    while (in.hasMore()) {
      int id = in.u8();
      ByteSource part = in.slice(in.u32());
      if (id == MEMORY_INFO) {
        for (int i = 0; i < info.length; i++) {
          info[i] = part.u32();
        }
      } else if (id == NEEDED) {
        int count = part.u32();
        for (int i = 0; i < count; i++) {
          needed.add(part.name());
        }
      }
    }
    return new DylinkSection(info[0], 1 << info[1], info[2], 1 << info[3], List.copyOf(needed));
  }
}
