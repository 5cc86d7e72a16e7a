package io.pyrunr.executor.internal.emscripten;

import io.pyrunr.wasm.runtime.LinearMemory;
import java.nio.charset.StandardCharsets;

/** What CPython and Pyodide's core ask of their JavaScript side even when no JavaScript is used. */
final class PythonCalls {
  /** Opaque references handed to wasm, as externref values. */
  private static final int DEDUPLICATION_MAP = 1;

  private static final int SENTINEL = 2;

  private final LinearMemory memory;
  private final GuestExports guest;
  private final Signals signals;

  PythonCalls(LinearMemory memory, GuestExports guest, Signals signals) {
    this.memory = memory;
    this.guest = guest;
    this.signals = signals;
  }

  void register(ImportTable table) {
    table.value("_PyEM_TrampolineCall_JS", a -> guest.callTable((int) a[0], a[1], a[2], a[3]));
    table.action("_PyEM_InitTrampoline_js", a -> {});
    // 0: the trampoline has no way to count arguments inside wasm, so it comes to the host.
    table.value("_PyEM_GetCountArgsPtr", a -> 0);
    table.value("_Py_CheckEmscriptenSignals_Helper", a -> signals.take());
    table.value("_Py_emscripten_runtime", a -> newString("Chicory"));
    table.value("__hiwire_deduplicate_new", a -> DEDUPLICATION_MAP);
    table.value("create_sentinel", a -> SENTINEL);
    table.value("is_sentinel", a -> a[0] == SENTINEL ? 1 : 0);
    table.action("pyodide_js_init", a -> {});
    // EM_ASM blocks of Pyodide's main: renaming open64 for side modules, asking for stack
    // switching.
    table.value("emscripten_asm_const_int", a -> 0);
  }

  private int newString(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int at = (int) guest.call("malloc", bytes.length + 1);
    if (at != 0) {
      memory.write(at, bytes, 0, bytes.length);
      memory.writeByte(at + bytes.length, (byte) 0);
    }
    return at;
  }
}
