package io.pyrunr.executor.internal.python;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.dylibso.chicory.runtime.ChicoryInterruptedException;
import io.pyrunr.executor.internal.emscripten.ProcessAbort;
import io.pyrunr.executor.internal.emscripten.ProcessExit;
import io.pyrunr.executor.internal.emscripten.Signals;
import io.pyrunr.executor.internal.emscripten.UnsupportedImport;
import io.pyrunr.wasm.runtime.StopSignal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The ways in which a program ends other than by returning, and what comes after. */
class ProgramEndTest {
  private static Interpreter interpreter;

  @BeforeAll
  static void boot() throws Exception {
    interpreter = new Interpreter();
    interpreter.run("import os, sys, time, signal");
    interpreter.capture();
  }

  /** Whatever happened, the next program finds the state before it. */
  @AfterEach
  void nextProgramRuns() throws Exception {
    interpreter.restore();
    assertEquals("2\n", interpreter.run("print(1 + 1)"));
    interpreter.restore();
  }

  @Test
  void exitCarriesItsCode() {
    ProcessExit exit =
        assertThrows(ProcessExit.class, () -> interpreter.run("print('x', end='')\nos._exit(3)"));
    assertEquals(3, exit.code());
    assertThrows(
        ProcessExit.class,
        () -> interpreter.run("try:\n  os._exit(1)\nexcept BaseException:\n  pass\nfinally:\n  1"));
  }

  @Test
  void abortIsNamed() {
    ProcessAbort abort = assertThrows(ProcessAbort.class, () -> interpreter.run("os.abort()"));
    assertTrue(abort.getMessage().contains("abort"), abort.getMessage());
  }

  @Test
  void aSignalInterruptsALoop() throws Exception {
    String printed =
        sendWhileRunning(
            "try:\n  while True: pass\nexcept KeyboardInterrupt:\n  print('interrupted')",
            () -> interpreter.python.signals().request(Signals.SIGINT));
    assertEquals("interrupted\n", printed);
  }

  @Test
  void aSignalReachesItsHandler() throws Exception {
    String printed =
        sendWhileRunning(
            """
            hits = []
            signal.signal(signal.SIGXCPU, lambda number, frame: hits.append(number))
            while not hits: pass
            print(hits)
            """,
            () -> interpreter.python.signals().request(24));
    assertEquals("[24]\n", printed);
  }

  @Test
  void aSignalEndsAWaitForReadiness() throws Exception {
    String printed =
        sendWhileRunning(
            """
            import select
            try:
              select.select([], [], [], 60)
            except KeyboardInterrupt:
              print('woken')
            """,
            () -> interpreter.python.signals().request(Signals.SIGINT));
    assertEquals("woken\n", printed);
  }

  @Test
  void theStopSignalEndsWhatIgnoresSignals() {
    Thread[] python = new Thread[1];
    assertThrows(
        ChicoryInterruptedException.class,
        () ->
            Interpreter.onBigStack(
                () -> {
                  python[0] = Thread.currentThread();
                  stopSoon(python[0]);
                  return interpreter.python.runSimpleString(
                      "while True:\n  try:\n    while True: pass\n  except BaseException: pass");
                }));
    StopSignal.clear(python[0]);
  }

  @Test
  void theStopSignalEndsAWait() {
    Thread[] python = new Thread[1];
    assertThrows(
        ChicoryInterruptedException.class,
        () ->
            Interpreter.onBigStack(
                () -> {
                  python[0] = Thread.currentThread();
                  stopSoon(python[0]);
                  return interpreter.python.runSimpleString(
                      "import select\nselect.select([], [], [])");
                }));
    StopSignal.clear(python[0]);
  }

  @Test
  void theJavaScriptBridgeIsNamedWhenItIsMissing() {
    UnsupportedImport missing =
        assertThrows(
            UnsupportedImport.class, () -> interpreter.python.call("PyInit__pyodide_core"));
    assertTrue(missing.getMessage().contains(missing.function()), missing.getMessage());
    assertTrue(missing.getMessage().contains("JavaScript"), missing.getMessage());
  }

  private static void stopSoon(Thread thread) {
    afterAWhile(() -> StopSignal.raise(thread));
  }

  private static void afterAWhile(Runnable action) {
    Thread later =
        new Thread(
            () -> {
              try {
                Thread.sleep(300);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              action.run();
            });
    later.setDaemon(true);
    later.start();
  }

  private static String sendWhileRunning(String code, Runnable action) throws Exception {
    afterAWhile(action);
    return interpreter.run(code);
  }
}
