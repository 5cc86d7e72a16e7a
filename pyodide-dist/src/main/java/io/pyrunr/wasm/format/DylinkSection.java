package io.pyrunr.wasm.format;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a position-independent module asks of its loader. Source: the dynamic linking convention of
 * WebAssembly's tool-conventions, section {@code dylink.0}.
 *
 * @param memorySize bytes of static data
 * @param memoryAlignment of that data in bytes
 * @param tableSize table entries
 * @param tableAlignment of the first entry
 * @param needed names of the libraries to load before
 * @param weakImports symbols that may stay undefined
 * @param runtimePath folders to look for needed libraries in; {@code $ORIGIN} is the module's own
 */
public record DylinkSection(
    int memorySize,
    int memoryAlignment,
    int tableSize,
    int tableAlignment,
    List<String> needed,
    Set<String> weakImports,
    List<String> runtimePath) {
  /** The section's name. */
  public static final String NAME = "dylink.0";

  private static final int MEMORY_INFO = 1;
  private static final int NEEDED = 2;
  private static final int IMPORT_INFO = 4;
  private static final int RUNTIME_PATH = 5;

  private static final int BINDING_MASK = 3;
  private static final int BINDING_WEAK = 1;

  /**
   * Reads the section's content.
   *
   * @throws WasmFormatException if it is null or malformed
   */
  public static DylinkSection parse(byte[] bytes) {
    if (bytes == null) {
      throw new WasmFormatException("not a dynamic library: it has no " + NAME + " section");
    }
    int[] info = new int[4];
    List<String> needed = new ArrayList<>();
    Set<String> weak = new HashSet<>();
    List<String> paths = new ArrayList<>();
    ByteSource in = new ByteSource(bytes);
    while (in.hasMore()) {
      int id = in.u8();
      ByteSource part = in.slice(in.u32());
      switch (id) {
        case MEMORY_INFO -> {
          for (int i = 0; i < info.length; i++) {
            info[i] = part.u32();
          }
        }
        case NEEDED -> names(part, needed);
        case IMPORT_INFO -> weakImports(part, weak);
        case RUNTIME_PATH -> names(part, paths);
        default -> {} // export flags, and what later versions add
      }
    }
    return new DylinkSection(
        info[0],
        1 << info[1],
        info[2],
        1 << info[3],
        List.copyOf(needed),
        Set.copyOf(weak),
        List.copyOf(paths));
  }

  private static void names(ByteSource in, List<String> target) {
    int count = in.u32();
    for (int i = 0; i < count; i++) {
      target.add(in.name());
    }
  }

  private static void weakImports(ByteSource in, Set<String> target) {
    int count = in.u32();
    for (int i = 0; i < count; i++) {
      in.name(); // the module, env or GOT
      String symbol = in.name();
      if ((in.u32() & BINDING_MASK) == BINDING_WEAK) {
        target.add(symbol);
      }
    }
  }
}
