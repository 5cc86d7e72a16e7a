package io.pyrunr.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pyrunr.executor.PythonError.Kind;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is told to be to blame: by the host's knowledge, whatever names a job gives its errors. */
class ErrorKindTest {
  private static PythonExecutor python;

  @BeforeAll
  static void start() {
    python = PythonExecutor.builder().build();
  }

  @AfterAll
  static void stop() {
    python.close();
  }

  private static PythonError errorOf(String code, Limits limits) throws InterruptedException {
    PythonError error = python.run(PythonJob.of(code).withLimits(limits)).error();
    assertNotNull(error);
    return error;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1 / 0",
        "raise MemoryError('of mine')",
        "class TimeLimitExceeded(Exception): pass\nraise TimeLimitExceeded('the job ran longer')",
        "class JobCancelled(BaseException): pass\nraise JobCancelled()",
        "class HostError(Exception): pass\nraise HostError('the host failed')",
        "class ResultTooLargeError(Exception): pass\nraise ResultTooLargeError()",
        "from _pyrunr import errors\nraise errors.TimeLimitExceeded('me')",
        "from _pyrunr import errors\nraise errors.JobCancelled('me')",
        "import _pyrunr.bootstrap as b\nb._wall_time_over = True\n1",
        "raise OSError(28, 'No space left on device')",
        "import os; os._exit(3)",
        "import sys; sys.exit(1)",
        "import ctypes; ctypes.string_at(-16)",
        "import ctypes; ctypes.memset(-10, 0, 100)",
        "import ctypes; ctypes.memmove(16, -5, 1 << 30)",
        "import ctypes; ctypes.CFUNCTYPE(None)(99999999)()",
        "import ctypes; ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(5)(1.0)",
        "x = (2",
      })
  void whatAJobDoesIsItsOwn(String code) throws InterruptedException {
    PythonError error = errorOf(code, Limits.DEFAULT);
    assertEquals(Kind.CODE, error.kind(), error.toString());
    assertFalse(error.message().contains("Index "), "in the JVM's words: " + error);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "while True: pass",
        "import time; time.sleep(60)",
        "sum(range(10**15))",
        "bytearray(10**9)",
        "x = []\nwhile True: x.append(bytes(10**6))",
        "open('f', 'wb').write(bytes(2 << 20))",
        "'x' * 2_000_000",
      })
  void whatALimitEndsIsTheLimits(String code) throws InterruptedException {
    Limits tight =
        Limits.DEFAULT
            .withWallTime(Duration.ofSeconds(2))
            .withMemoryBytes(128 << 20)
            .withFileBytes(1 << 20)
            .withResultBytes(1 << 20);
    assertEquals(Kind.LIMIT, errorOf(code, tight).kind());
  }

  /** What one job was refused is not the next one's. */
  @Test
  void refusalsAreForgotten() throws InterruptedException {
    assertEquals(
        Kind.LIMIT, errorOf("bytearray(10**9)", Limits.DEFAULT.withMemoryBytes(1 << 26)).kind());
    assertEquals(Kind.CODE, errorOf("raise MemoryError", Limits.DEFAULT).kind());
  }

  @Test
  void valueOrThrowThrowsThePythonError() throws InterruptedException {
    PythonResult good = python.run(PythonJob.of("[1, 2]"));
    assertEquals(List.of(1, 2), good.valueOrThrow());
    PythonResult bad = python.run(PythonJob.of("def f():\n  raise ValueError('no')\nf()"));
    var e = assertThrows(PythonException.class, bad::valueOrThrow);
    assertEquals("ValueError: no", e.getMessage());
    assertEquals("ValueError", e.type());
    assertEquals(Kind.CODE, e.kind());
    StringWriter printed = new StringWriter();
    e.printStackTrace(new PrintWriter(printed));
    assertTrue(printed.toString().startsWith("Traceback (most recent call last):"), "" + printed);
    assertTrue(printed.toString().contains("line 2, in f"), "" + printed);
  }
}
