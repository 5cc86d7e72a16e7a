package io.pyrunr.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A job does what a script does: how it ends, what its tracebacks show, what {@code __main__} is.
 * Each case stands for reports about systems like this one.
 */
class ScriptsTest {
  private static final Limits PATIENT = Limits.DEFAULT.withWallTime(Duration.ofSeconds(60));

  private static PythonExecutor isolated;
  private static PythonExecutor recycling;

  @BeforeAll
  static void start() {
    isolated = PythonExecutor.builder().workers(1).build();
    recycling = PythonExecutor.builder().workers(1).recycleAfter(1000).build();
  }

  @AfterAll
  static void stop() {
    isolated.close();
    recycling.close();
  }

  static Stream<ScriptCase> cases() {
    return ScriptCase.load("scripts.json");
  }

  @ParameterizedTest
  @MethodSource("cases")
  void endsAsInPython(ScriptCase each) throws Exception {
    each.check(isolated, PATIENT);
  }

  /** What one script leaves behind does not reach the next, with no restore in between either. */
  @ParameterizedTest
  @MethodSource("cases")
  void endsAsInPythonWithoutARestore(ScriptCase each) throws Exception {
    each.check(recycling, PATIENT);
    PythonResult next =
        recycling.run(
            PythonJob.of(
                """
                import atexit, logging, signal, sys
                print("out")
                [sorted(globals()), atexit._ncallbacks(), len(logging.root.handlers), sys.argv,
                 sys.stdout is sys.__stdout__, sys.stderr is sys.__stderr__, sys.excepthook is sys.__excepthook__]
                """));
    assertEquals(
        "[[\"__builtins__\",\"__doc__\",\"__file__\",\"__loader__\",\"__name__\",\"__package__\","
            + "\"__spec__\",\"atexit\",\"logging\",\"params\",\"signal\",\"sys\"],0,0,[\"<job>\"],"
            + "true,true,true]",
        next.valueJson(),
        next::toString);
    assertEquals(List.of("out\n", ""), List.of(next.stdout(), next.stderr()));
  }

  /** A job without a restore behind it is still stopped as it should be, whatever was done. */
  @Test
  void handlersOfSignalsAreTheJobsOwn() throws Exception {
    PythonJob ignoring =
        PythonJob.of(
            """
            import signal, sys
            signal.signal(signal.SIGXCPU, signal.SIG_IGN)
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            sys.excepthook = sys.unraisablehook = None
            """);
    assertEquals("null", recycling.run(ignoring).valueJson());
    PythonResult endless =
        recycling.run(
            PythonJob.of("try:\n    while True: pass\nfinally: print('asked')")
                .withLimits(Limits.DEFAULT.withWallTime(Duration.ofMillis(500))));
    assertEquals("asked\n", endless.stdout(), endless::toString);
  }

  @Test
  void theFilesNameIsTheScripts() throws Exception {
    PythonResult result =
        isolated.run(
            PythonJob.of(
                    "import sys, inspect\n"
                        + "class A: pass\n"
                        + "print(__file__, sys.argv, inspect.getsource(A), end='')\n"
                        + "1 / 0")
                .withFileName("report é.py"));
    assertEquals("report é.py ['report é.py'] class A: pass\n", result.stdout(), result::toString);
    assertEquals(
        """
        Traceback (most recent call last):
          File "report é.py", line 4, in <module>
            1 / 0
            ~~^~~
        ZeroDivisionError: division by zero
        """,
        result.error().traceback());
  }
}
