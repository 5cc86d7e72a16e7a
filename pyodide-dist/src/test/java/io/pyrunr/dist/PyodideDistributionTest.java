package io.pyrunr.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is read at every start by code of ours is what a library would have read. */
class PyodideDistributionTest {

  @Test
  void readsTheLayoutAsItWasWritten() throws IOException {
    Layout layout =
        new Layout(
            "1", "2", "3", 4, 5, 6, 7, 8, 9, Map.of("a.b", 10, "abi", -1), 11, "12", "13", "14");
    byte[] json = new ObjectMapper().writeValueAsBytes(layout);
    assertEquals(layout, Layout.read(json));
  }

  @Test
  void saysWhatALayoutLacks() {
    var error = assertThrows(IllegalStateException.class, () -> Layout.read("{}".getBytes(UTF_8)));
    assertTrue(error.getMessage().contains("pyodideVersion"), error.getMessage());
  }

  @Test
  void readsTheModuleAsChicoryDoes() throws IOException {
    WasmModule ours = PyodideDistribution.bundled().module();
    WasmModule theirs;
    try (InputStream in =
        PyodideDistribution.class.getResourceAsStream("/io/pyrunr/dist/pyodide.meta.wasm")) {
      theirs = Parser.parse(in.readAllBytes());
    }
    assertEquals(theirs.typeSection(), ours.typeSection());
    // Not the section: two of its tags are only equal if they are the same object.
    assertEquals(imports(theirs), imports(ours));
    assertEquals(theirs.functionSection(), ours.functionSection());
    assertEquals(theirs.tableSection(), ours.tableSection());
    assertEquals(theirs.memorySection(), ours.memorySection());
    assertEquals(theirs.globalSection(), ours.globalSection());
    assertEquals(theirs.exportSection(), ours.exportSection());
    assertEquals(theirs.startSection(), ours.startSection());
    assertEquals(theirs.elementSection(), ours.elementSection());
    assertEquals(theirs.dataSection(), ours.dataSection());
    assertEquals(theirs.dataCountSection(), ours.dataCountSection());
    assertEquals(theirs.tagSection(), ours.tagSection());
    assertEquals(theirs.codeSection().functionBodyCount(), ours.codeSection().functionBodyCount());
  }

  private static List<String> imports(WasmModule module) {
    var section = module.importSection();
    return IntStream.range(0, section.importCount())
        .mapToObj(section::getImport)
        .map(each -> each.importType() + " " + each.module() + " " + each.name())
        .toList();
  }
}
