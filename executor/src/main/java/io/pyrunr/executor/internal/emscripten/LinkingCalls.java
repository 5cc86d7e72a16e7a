package io.pyrunr.executor.internal.emscripten;

import io.pyrunr.executor.internal.emscripten.DynamicLinking.DynamicLinkingException;
import io.pyrunr.wasm.runtime.LinearMemory;
import java.nio.charset.StandardCharsets;

/** {@code dlopen} and {@code dlsym}. Failures are left for {@code dlerror}. */
final class LinkingCalls {
  /** Where {@code struct dso} holds the library's path. */
  private static final int DSO_NAME = 36;

  private final LinearMemory memory;
  private final GuestExports guest;
  private final DynamicLinking linking;

  LinkingCalls(LinearMemory memory, GuestExports guest, DynamicLinking linking) {
    this.memory = memory;
    this.guest = guest;
    this.linking = linking;
  }

  void register(ImportTable table) {
    table.value("_dlopen_js", a -> open((int) a[0]) ? 1 : 0);
    table.value("_dlsym_js", a -> symbol((int) a[0], memory.cString((int) a[1])));
    table.action(
        "_emscripten_dlopen_js",
        a -> {
          // The asynchronous form; nothing here needs to wait.
          boolean done = open((int) a[0]);
          guest.callTable((int) (done ? a[1] : a[2]), a[0], a[3]);
        });
  }

  private boolean open(int handle) {
    try {
      linking.open(handle);
      return true;
    } catch (DynamicLinkingException e) {
      String name = memory.cString(handle + DSO_NAME);
      setError("Could not load dynamic lib: " + name + "\n" + e.getMessage());
      return false;
    }
  }

  private int symbol(int handle, String name) {
    try {
      return linking.symbol(handle, name);
    } catch (DynamicLinkingException e) {
      setError(e.getMessage());
      return 0;
    }
  }

  private void setError(String message) {
    byte[] text = message.replace("%", "%%").getBytes(StandardCharsets.UTF_8);
    int at = (int) guest.call("malloc", text.length + 1);
    if (at != 0) {
      memory.write(at, text, 0, text.length);
      memory.writeByte(at + text.length, (byte) 0);
      // It is a printf format; the text is copied.
      guest.call("__dl_seterr", at, 0);
      guest.call("free", at);
    }
  }
}
