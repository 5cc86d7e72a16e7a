package io.pyrunr.executor.internal.emscripten;

import io.pyrunr.executor.internal.fs.Errno;
import io.pyrunr.executor.internal.fs.PosixException;
import io.pyrunr.wasm.runtime.LinearMemory;
import java.time.Instant;

/** Clocks and sleeping. */
final class ClockCalls {
  private static final int REALTIME = 0;
  private static final int LAST_CLOCK = 3;

  private final LinearMemory memory;
  private final Sleeper sleeper;
  private final GuestExports exports;
  private final Signals signals;
  private final Surroundings surroundings;
  private final long origin;

  ClockCalls(
      LinearMemory memory,
      Sleeper sleeper,
      GuestExports exports,
      Signals signals,
      Surroundings surroundings) {
    this.memory = memory;
    this.sleeper = sleeper;
    this.exports = exports;
    this.signals = signals;
    this.surroundings = surroundings;
    origin = surroundings.nanoTime();
  }

  void register(ImportTable table) {
    table.wasi(
        "clock_time_get",
        a -> {
          requireClock((int) a[0]);
          memory.writeLong((int) a[2], a[0] == REALTIME ? realtime() : monotonic());
        });
    table.wasi(
        "clock_res_get",
        a -> {
          requireClock((int) a[0]);
          memory.writeLong((int) a[1], a[0] == REALTIME ? 1000 : 1);
        });
    table.value(
        "emscripten_date_now", a -> Double.doubleToRawLongBits(Math.floor(realtime() / 1e6)));
    table.value("emscripten_get_now", a -> Double.doubleToRawLongBits(monotonic() / 1e6));
    // The toolchain turns emscripten_thread_sleep, a busy loop, into this import.
    table.action("sleep", a -> sleep(Double.longBitsToDouble(a[0])));
    // No timer can fire while Python runs, as in Pyodide, whose event loop is blocked then.
    table.value("_setitimer_js", a -> 0);
  }

  private static void requireClock(int clock) {
    if (clock < 0 || clock > LAST_CLOCK) {
      throw PosixException.of(Errno.EINVAL);
    }
  }

  private long realtime() {
    Instant now = surroundings.now();
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }

  private long monotonic() {
    return surroundings.nanoTime() - origin;
  }

  private void sleep(double millis) {
    if (millis <= 0) {
      return;
    }
    long nanos = millis >= Long.MAX_VALUE / 1e6 ? Long.MAX_VALUE : (long) (millis * 1e6);
    if (!sleeper.sleep(nanos)) {
      // Emscripten's nanosleep reports no interruption, so time.sleep would return as if its time
      // were over, and the evaluation loop asks for signals only now and then. Tripped like this,
      // the signal is handled before the next instruction.
      exports.call("PyErr_SetInterruptEx", signals.take());
    }
  }
}
