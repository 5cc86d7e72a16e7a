package io.pyrunr.executor.internal.emscripten;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.dylibso.chicory.wasm.types.FunctionImport;
import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.emscripten.DynamicLinking.DynamicLinkingException;
import io.pyrunr.executor.internal.fs.BaseLayer;
import io.pyrunr.executor.internal.fs.Device;
import io.pyrunr.executor.internal.fs.Errno;
import io.pyrunr.executor.internal.fs.FileMode;
import io.pyrunr.executor.internal.fs.VirtualFileSystem;
import io.pyrunr.wasm.runtime.LinearMemory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Host functions called as wasm calls them, with pointers into a memory, good ones and bad ones.
 */
class HostCallsTest {
  private static final int TEXT = 1024;
  private static final int BUFFER = 8192;
  private static final int OUTSIDE = 0x7fff0000;
  private final LinearMemory memory = new LinearMemory(2, 10);
  private final VirtualFileSystem files =
      new VirtualFileSystem(BaseLayer.builder().folder("/tmp/a/b", 0777).build());
  private final EmscriptenHost host =
      new EmscriptenHost(
          memory,
          files,
          List.of("A=1", "LONG=\u00e9"),
          new NoExports(),
          new NoLinking(),
          Surroundings.real());

  private static final class NoExports implements GuestExports {
    @Override
    public long call(String function, long... args) {
      return 0;
    }

    @Override
    public int address(String symbol) {
      return 0;
    }

    @Override
    public long callTable(int index, long... args) {
      return index;
    }
  }

  private static final class NoLinking implements DynamicLinking {
    @Override
    public void open(int handle) throws DynamicLinkingException {
      throw new DynamicLinkingException("no");
    }

    @Override
    public int symbol(int handle, String name) throws DynamicLinkingException {
      throw new DynamicLinkingException("no");
    }
  }

  private long call(String name, long... args) {
    return host.function("env", name).call(args)[0];
  }

  private int text(String value) {
    byte[] bytes = (value + "\0").getBytes(StandardCharsets.UTF_8);
    memory.write(TEXT, bytes, 0, bytes.length);
    return TEXT;
  }

  @Test
  void everyImportIsThereAndOnlyTheJavaScriptBridgeIsMissing() {
    Pattern bridge =
        Pattern.compile(
            "_?Js.*|js.*|.*js_?|.*prox(y|ies).*|.*python2js.*|.*suspender|.*State|syncify.*"
                + "|.*stderr|new_error|fail_test|raw_call_js|hiwire_.*|__hiwire_deduplicate_.*"
                + "|set_pyodide_module|handle_next_result_js|create_.*|destroy_.*|get_.*"
                + "|my_dict_converter|wrap_.*|throw_no_gil|array_to_js|emscripten_promise_.*");
    var section = PyodideDistribution.bundled().module().importSection();
    for (int i = 0; i < section.importCount(); i++) {
      if (section.getImport(i) instanceof FunctionImport each && !host.supports(each.name())) {
        assertTrue(bridge.matcher(each.name()).matches(), each.name());
        UnsupportedImport missing =
            assertThrows(UnsupportedImport.class, () -> call(each.name(), 0, 0, 0, 0));
        assertEquals(each.name(), missing.function());
      }
    }
  }

  @Test
  void badPointersAreFaults() {
    assertEquals(-Errno.EFAULT, call("__syscall_stat64", text("/"), OUTSIDE));
    assertEquals(-Errno.EFAULT, call("__syscall_chdir", OUTSIDE));
    assertEquals(-Errno.EFAULT, call("__syscall_pipe", 0));
    assertEquals(Errno.EFAULT, call("random_get", OUTSIDE, 10));
    assertEquals(Errno.EFAULT, call("clock_time_get", 0, 0, OUTSIDE));
    assertEquals(-Errno.EFAULT, call("__syscall_poll", OUTSIDE, 3, 0));
  }

  @Test
  void pathsWithoutAnEndAreTooLong() {
    memory.fill((byte) 'x', 0, 2 << 16);
    assertEquals(-Errno.ENAMETOOLONG, call("__syscall_chdir", 16));
  }

  @Test
  void workingDirectoryNeedsRoom() {
    call("__syscall_chdir", text("/tmp/a"));
    assertEquals(-Errno.EINVAL, call("__syscall_getcwd", BUFFER, 0));
    assertEquals(-Errno.ERANGE, call("__syscall_getcwd", BUFFER, 6));
    assertEquals(7, call("__syscall_getcwd", BUFFER, 7));
    assertEquals("/tmp/a", memory.cString(BUFFER));
  }

  @Test
  void readlinkCutsWithoutAFinalZero() {
    memory.writeI32(BUFFER, -1);
    files.makeSymbolicLink("target", VirtualFileSystem.AT_FDCWD, "/tmp/l");
    assertEquals(2, call("__syscall_readlinkat", -100, text("/tmp/l"), BUFFER, 2));
    assertEquals('t' | 'a' << 8 | 0xffff0000, memory.readInt(BUFFER));
    assertEquals(-Errno.EINVAL, call("__syscall_readlinkat", -100, text("/tmp/l"), BUFFER, 0));
  }

  @Test
  void directoryEntriesAreLaidOutAsDirent() {
    long fd = call("__syscall_openat", -100, text("/tmp"), FileMode.O_RDONLY, 0);
    assertEquals(-Errno.EINVAL, call("__syscall_getdents64", fd, BUFFER, 8));
    assertEquals(24, call("__syscall_getdents64", fd, BUFFER, 24));
    assertEquals(".", memory.cString(BUFFER + 19));
    assertEquals(48, call("__syscall_getdents64", fd, BUFFER, 1000));
    assertEquals("..", memory.cString(BUFFER + 19));
    assertEquals("a", memory.cString(BUFFER + 24 + 19));
    assertEquals(4, memory.read(BUFFER + 24 + 18));
    assertEquals(24, memory.readU16(BUFFER + 24 + 16));
    assertEquals(0, call("__syscall_getdents64", fd, BUFFER, 1000));
  }

  @Test
  void heapGrowsToTheLimitAndNoFurther() {
    assertEquals(1, call("emscripten_resize_heap", 3 << 16));
    assertEquals(3, memory.pages());
    assertEquals(1, call("emscripten_resize_heap", 10 << 16));
    assertEquals(10, memory.pages());
    assertEquals(0, call("emscripten_resize_heap", (10 << 16) + 1));
    assertEquals(0, call("emscripten_resize_heap", -1));
    memory.setMaximumPages(12);
    assertEquals(1, call("emscripten_resize_heap", 11 << 16));
  }

  @Test
  void environmentIsWhatWasGiven() {
    assertEquals(0, call("environ_sizes_get", BUFFER, BUFFER + 4));
    assertEquals(2, memory.readInt(BUFFER));
    assertEquals("A=1".length() + 1 + "LONG=".length() + 2 + 1, memory.readInt(BUFFER + 4));
    call("environ_get", BUFFER, BUFFER + 100);
    assertEquals("A=1", memory.cString(memory.readInt(BUFFER)));
    assertEquals("LONG=\u00e9", memory.cString(memory.readInt(BUFFER + 4)));
  }

  @Test
  void aTransferThatFailsHalfwayCountsWhatItMoved() {
    files.host().registerDevice("/dev/full", new Device() {});
    long fd = call("__syscall_openat", -100, text("/tmp/f"), FileMode.O_RDWR | FileMode.O_CREAT, 0);
    files.setPermissions(files.file((int) fd).inode(), 0600);
    memory.writeI32(BUFFER, BUFFER + 100);
    memory.writeI32(BUFFER + 4, 10);
    memory.writeI32(BUFFER + 8, BUFFER + 100);
    memory.writeI32(BUFFER + 12, 60_000);
    files.allowBytes(1000);
    assertEquals(0, call("fd_write", fd, BUFFER, 2, BUFFER + 40));
    assertEquals(10, memory.readInt(BUFFER + 40));
    assertEquals(Errno.ENOSPC, call("fd_pwrite", fd, BUFFER + 8, 1, 100_000, BUFFER + 40));
  }
}
