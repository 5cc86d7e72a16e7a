package io.pyrunr.dist;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The addresses a Pyodide main module was linked to and the versions it carries. Addresses are byte
 * offsets into linear memory, table figures are entries.
 *
 * @param pyodideVersion such as {@code 0.29.3}
 * @param pythonVersion such as {@code 3.13.2}
 * @param abi platform tag of its wheels, such as {@code pyodide_2025_0}
 * @param memoryBase first byte of static data
 * @param stackLow lowest address of the C stack
 * @param stackHigh initial {@code __stack_pointer}; the C stack grows down from here
 * @param heapBase first byte that {@code malloc} may use
 * @param initialPages 64 KiB pages the memory starts with
 * @param tableSize entries of the function table, those for {@code GOT.func} symbols included
 * @param importedGlobals initial value of each imported global that is left, keyed {@code
 *     module.name}
 * @param functionsPerClass how many compiled functions share a class, in order of index
 * @param wasmSha256 SHA-256 of upstream's {@code pyodide.asm.wasm}, hexadecimal
 * @param moduleSha256 SHA-256 of the module that was compiled, hexadecimal
 * @param buildKey SHA-256 of everything the compiled module was made from, tool chain included
 */
public record Layout(
    String pyodideVersion,
    String pythonVersion,
    String abi,
    int memoryBase,
    int stackLow,
    int stackHigh,
    int heapBase,
    int initialPages,
    int tableSize,
    Map<String, Integer> importedGlobals,
    int functionsPerClass,
    String wasmSha256,
    String moduleSha256,
    String buildKey) {

  /** Reads what the build wrote, by the names of the components. */
  static Layout read(byte[] json) throws IOException {
    Map<String, String> texts = new HashMap<>();
    Map<String, Integer> globals = new HashMap<>();
    // Token by token: to bind a record, Jackson loads 500 classes, and every start waits for this.
    try (JsonParser parser = new JsonFactory().createParser(json)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token.isScalarValue()) {
          boolean global = parser.getParsingContext().getParent().hasCurrentName();
          if (global) {
            globals.put(parser.currentName(), parser.getIntValue());
          } else {
            texts.put(parser.currentName(), parser.getText());
          }
        }
      }
    }
    return new Layout(
        text(texts, "pyodideVersion"),
        text(texts, "pythonVersion"),
        text(texts, "abi"),
        number(texts, "memoryBase"),
        number(texts, "stackLow"),
        number(texts, "stackHigh"),
        number(texts, "heapBase"),
        number(texts, "initialPages"),
        number(texts, "tableSize"),
        Map.copyOf(globals),
        number(texts, "functionsPerClass"),
        text(texts, "wasmSha256"),
        text(texts, "moduleSha256"),
        text(texts, "buildKey"));
  }

  private static int number(Map<String, String> texts, String name) {
    return Integer.parseInt(text(texts, name));
  }

  private static String text(Map<String, String> texts, String name) {
    String text = texts.get(name);
    if (text == null) {
      throw new IllegalStateException("layout.json has no " + name + "; rebuild pyodide-dist");
    }
    return text;
  }
}
