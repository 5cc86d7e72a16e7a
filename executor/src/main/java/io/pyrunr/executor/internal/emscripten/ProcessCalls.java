package io.pyrunr.executor.internal.emscripten;

import io.pyrunr.executor.internal.fs.Errno;
import io.pyrunr.wasm.runtime.LinearMemory;

/** The end of the program, and the little of processes that Emscripten has. */
final class ProcessCalls {
  private final LinearMemory memory;
  private final GuestExports guest;

  ProcessCalls(LinearMemory memory, GuestExports guest) {
    this.memory = memory;
    this.guest = guest;
  }

  void register(ImportTable table) {
    table.action(
        "exit",
        a -> {
          throw new ProcessExit((int) a[0]);
        });
    table.action(
        "proc_exit",
        a -> {
          throw new ProcessExit((int) a[0]);
        });
    table.action(
        "_abort_js",
        a -> {
          throw new ProcessAbort("the interpreter called abort()");
        });
    table.action(
        "__assert_fail",
        a -> {
          throw new ProcessAbort(
              "assertion failed: "
                  + text((int) a[0], "?")
                  + ", at "
                  + text((int) a[1], "unknown file")
                  + ":"
                  + (int) a[2]
                  + ", "
                  + text((int) a[3], "unknown function"));
        });
    // Counts of what keeps a JavaScript event loop alive; there is none.
    table.action("emscripten_runtime_keepalive_push", a -> {});
    table.action("emscripten_runtime_keepalive_pop", a -> {});
    table.action("_emscripten_runtime_keepalive_clear", a -> {});
    table.action("__call_sighandler", a -> guest.callTable((int) a[0], a[1]));
    // No shell: system(NULL) says so, a command fails.
    table.value("_emscripten_system", a -> a[0] == 0 ? 0 : -Errno.ENOSYS);
  }

  private String text(int address, String otherwise) {
    return address == 0 ? otherwise : memory.cString(address);
  }
}
