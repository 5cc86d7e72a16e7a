package io.pyrunr.executor.internal.packaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which wheels fit, by their file names. */
class WheelTagsTest {
  private static final SupportedTags TAGS =
      new SupportedTags("3.13.2", "2025_0", "emscripten_4_0_9", "wasm32");

  private static int rank(String tag) throws BadPackagingException {
    return TAGS.rank(WheelFileName.parse("a-1-" + tag + ".whl").tags()).orElse(-1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "py3-none-any",
        "py2.py3-none-any",
        "py313-none-any",
        "py38-none-any",
        "cp313-none-any",
        "cp313-cp313-pyodide_2025_0_wasm32",
        "cp313-cp313-pyemscripten_2025_0_wasm32",
        "cp313-cp313-emscripten_4_0_9_wasm32",
        "cp39-abi3-pyodide_2025_0_wasm32",
        "cp313-abi3-pyodide_2025_0_wasm32",
        "cp313-none-pyodide_2025_0_wasm32",
        "py3-none-pyodide_2025_0_wasm32",
        "cp312.cp313-cp312.cp313-linux_x86_64.emscripten_4_0_9_wasm32"
      })
  void fit(String tag) throws Exception {
    assertTrue(rank(tag) >= 0);
  }

  @ParameterizedTest
  @CsvSource({
    "cp312-cp312-pyodide_2025_0_wasm32, built for CPython 3.12; this is CPython 3.13",
    "cp313-cp313-manylinux_2_17_x86_64, built for Linux; this is WebAssembly",
    "cp313-cp313-macosx_11_0_arm64, built for macOS; WebAssembly",
    "cp313-cp313-win_amd64, built for Windows; WebAssembly",
    "cp313-cp313-pyodide_2024_0_wasm32, built for pyodide_2024_0_wasm32; this is pyodide_2025_0",
    "cp314-abi3-pyodide_2025_0_wasm32, built for CPython 3.14; drop a cp313",
    "cp313-cp313t-pyodide_2025_0_wasm32, built for the ABI cp313t; drop",
    "pp310-pypy310_pp73-any, built for another Python; drop",
    "py2-none-any, built for Python 2; drop",
    "py314-none-any, built for Python 3.14; drop",
    "cp313-cp313-any, built for the ABI cp313; drop",
    "cp38-none-any, built for CPython 3.8; drop",
    "py3-abi3-any, built for the ABI abi3; drop"
  })
  void doNotFit(String tag, String reasons) throws Exception {
    assertEquals(-1, rank(tag));
    String reason = TAGS.reason(WheelFileName.parse("a-1-" + tag + ".whl").tags());
    for (String part : reasons.split("; ")) {
      assertTrue(reason.contains(part), reason);
    }
  }

  @Test
  void theBestTagCounts() throws Exception {
    assertTrue(rank("cp313-cp313-pyodide_2025_0_wasm32") < rank("cp39-abi3-pyodide_2025_0_wasm32"));
    assertTrue(rank("cp312-abi3-pyodide_2025_0_wasm32") < rank("cp39-abi3-pyodide_2025_0_wasm32"));
    assertTrue(rank("cp39-abi3-pyodide_2025_0_wasm32") < rank("py3-none-any"));
  }

  @Test
  void partsOfAName() throws Exception {
    WheelFileName name = WheelFileName.parse("Foo_Bar.baz-1.0_1-12b-py2.py3-none-any.whl");
    assertEquals("foo-bar-baz", name.name());
    assertEquals(PackageVersion.parse("1.0.post1"), name.version());
    assertEquals(12, name.buildNumber());
    assertEquals("b", name.buildSuffix());
    assertEquals(2, name.tags().size());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a.whl",
        "a-1.whl",
        "a-1-py3-none.whl",
        "a-1-b1-py3-none-any.whl",
        "a-x-py3-none-any.whl",
        "é-1-py3-none-any.whl",
        "a-1-py3-none-any.zip",
        "a-1-1-2-py3-none-any.whl",
        "a-1-py3-none-.whl",
        "-1-py3-none-any.whl"
      })
  void noNames(String name) {
    assertThrows(BadPackagingException.class, () -> WheelFileName.parse(name));
  }
}
