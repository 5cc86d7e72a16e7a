package io.pyrunr.executor.internal.emscripten;

import io.pyrunr.wasm.runtime.LinearMemory;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Environment variables, program name, entropy and the size of the heap. */
final class EnvironmentCalls {
  /**
   * The memory grows by half, but by no more than this beyond what was asked for. Emscripten grows
   * by a fifth; here each growth copies the memory.
   */
  private static final int MAXIMUM_OVERGROWTH_PAGES = 96 << 20 >> 16;

  private final LinearMemory memory;
  private final GuestMemory guest;
  private final List<byte[]> environment;
  private final Surroundings surroundings;
  private boolean refused;

  EnvironmentCalls(
      LinearMemory memory, GuestMemory guest, List<String> environment, Surroundings surroundings) {
    this.memory = memory;
    this.guest = guest;
    this.surroundings = surroundings;
    this.environment =
        environment.stream().map(each -> each.getBytes(StandardCharsets.UTF_8)).toList();
  }

  void register(ImportTable table) {
    table.wasi(
        "environ_sizes_get",
        a -> {
          memory.writeI32((int) a[0], environment.size());
          int bytes = environment.stream().mapToInt(each -> each.length + 1).sum();
          memory.writeI32((int) a[1], bytes);
        });
    table.wasi("environ_get", a -> environment((int) a[0], (int) a[1]));
    table.action(
        "_emscripten_get_progname",
        a -> {
          byte[] name = "python".getBytes(StandardCharsets.US_ASCII);
          guest.putString((int) a[0], name, (int) a[1]);
        });
    table.wasi("random_get", a -> randomBytes((int) a[0], (int) a[1]));
    table.value(
        "emscripten_get_heap_max",
        a -> (int) ((long) memory.maximumPages() * LinearMemory.PAGE_SIZE));
    table.value("emscripten_resize_heap", a -> resizeHeap((int) a[0]) ? 1 : 0);
  }

  /** Whether the limit kept the memory from growing since {@link #forgetRefusals}. */
  boolean refused() {
    return refused;
  }

  void forgetRefusals() {
    refused = false;
  }

  private void environment(int pointers, int strings) {
    int pointer = pointers;
    int at = strings;
    for (byte[] each : environment) {
      memory.writeI32(pointer, at);
      guest.putString(at, each, each.length + 1);
      pointer += 4;
      at += each.length + 1;
    }
  }

  private void randomBytes(int at, int length) {
    byte[] bytes = new byte[Math.min(length, 1 << 16)];
    for (int done = 0; done < length; done += bytes.length) {
      surroundings.random(bytes);
      memory.write(at + done, bytes, 0, Math.min(bytes.length, length - done));
    }
  }

  /**
   * Grows the memory to {@code bytes} (unsigned) or somewhat more. Refused when the job's limit is
   * reached, whereupon {@code malloc} fails and Python raises {@code MemoryError}.
   */
  private boolean resizeHeap(int bytes) {
    long wanted =
        (Integer.toUnsignedLong(bytes) + LinearMemory.PAGE_SIZE - 1) / LinearMemory.PAGE_SIZE;
    int pages = memory.pages();
    int limit = memory.maximumPages();
    if (wanted > limit) {
      refused = true;
      return false;
    }
    for (int cut = 2; cut <= 16; cut *= 2) {
      long generous = Math.min(pages + pages / cut, wanted + MAXIMUM_OVERGROWTH_PAGES);
      long target = Math.min(limit, Math.max(wanted, generous));
      if (target <= pages || memory.grow((int) target - pages) >= 0) {
        return true;
      }
    }
    return false;
  }
}
