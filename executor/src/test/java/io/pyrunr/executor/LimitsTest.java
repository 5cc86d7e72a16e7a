package io.pyrunr.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pyrunr.executor.PythonResult.Status;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each limit, and that the interpreter is as new after it. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LimitsTest {
  private static final Limits SHORT = Limits.DEFAULT.withWallTime(Duration.ofMillis(400));
  private static PythonExecutor python;

  @BeforeAll
  static void start() {
    python = PythonExecutor.builder().build();
  }

  @AfterAll
  static void stop() {
    python.close();
  }

  @AfterEach
  void nextJobIsFine() throws InterruptedException {
    assertEquals("2", python.run(PythonJob.of("1 + 1")).valueJson());
  }

  private static PythonResult run(String code, Limits limits) throws InterruptedException {
    return python.run(PythonJob.of(code).withLimits(limits));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "while True: pass",
        "import time\nwhile True: time.sleep(60)",
        "import asyncio\nwhile True: await asyncio.sleep(1)",
        "import asyncio\nasync def f():\n  while True: await asyncio.sleep(0)\nasyncio.run(f())",
        "while True:\n  try:\n    while True: pass\n  except BaseException: pass",
        "def g():\n  while True:\n    try: yield\n    except BaseException: pass\nfor _ in g(): pass",
        "sum(range(10**15))",
        "x = 3 ** 10000000\nwhile True: x * x",
        "import itertools\nfor _ in itertools.repeat(1): pass",
        "import collections, itertools\ncollections.deque(itertools.repeat(1), maxlen=0)",
        "import re\nre.match('(a+)+$', 'a' * 60 + 'b')",
        "'a' * 100000000 in 'b'\nwhile True: ('a' * 10000000).find('ab')",
        "class A:\n  def __del__(self):\n    while True: pass\nA() and None",
        "import weakref\nclass A: pass\na = A()\n"
            + "def cb(_):\n  while True: pass\nr = weakref.ref(a, cb)\ndel a",
        "import gc\nclass A:\n  def __del__(self):\n    while True: pass\na = A()\na.a = a\n"
            + "del a\ngc.collect()",
        "class M(type):\n  def __instancecheck__(c, o):\n    while True: pass\n"
            + "class A(metaclass=M): pass\nisinstance(1, A)",
        "class E(Exception):\n  def __str__(self):\n    while True: pass\nraise E",
        "class D(dict):\n  def items(self):\n    while True: pass\n[D(a={1})]",
        "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass",
        "import signal\nsignal.signal(signal.SIGXCPU, lambda *a: None)\nwhile True: pass",
        "import sys\nsys.settrace(lambda *a: None)\nwhile True: pass",
        "import atexit\nimport sys\natexit.register(print)\ntry:\n  while True: pass\n"
            + "finally:\n  while True: pass",
        "input_ = open('/dev/zero', 'rb')\nwhile True: input_.read(1000)",
        "while True: print('x' * 1000)",
        "import os\nwhile True: os.getcwd()",
        "i = 0\nwhile True:\n  i += 1\n  exec(f'x{i} = {i}')",
        "import time\ntry:\n  time.sleep(60)\nfinally:\n  time.sleep(60)",
        "import select\nwhile True: select.select([], [], [], 60)",
        "import os\nr, w = os.pipe()\nwhile True:\n  try: os.read(r, 1)\n  except OSError: pass",
        "import decimal\ndecimal.getcontext().prec = 10**6\nwhile True: decimal.Decimal(2).sqrt()",
        "import hashlib\nwhile True: hashlib.sha256(b'x' * 10**7)",
        "import json\nwhile True: json.dumps(list(range(10000)))",
      })
  void wallTime(String code) throws InterruptedException {
    PythonResult result = run(code, SHORT);
    assertEquals(Status.TIMED_OUT, result.status(), result::toString);
    assertEquals("TimeLimitExceeded", result.error().type());
    assertEquals("the job ran longer than its wall time of 0.4 s", result.error().message());
  }

  @Test
  void finallyRunsWithinTheGrace() throws InterruptedException {
    PythonResult result =
        run("print('in')\ntry:\n    while True: pass\nfinally:\n    print('out')", SHORT);
    assertEquals(Status.TIMED_OUT, result.status());
    assertEquals("in\nout\n", result.stdout());
    assertTrue(result.error().traceback().contains("line 3"), result::toString);
  }

  @Test
  void outputBeforeAHardStopIsKept() throws InterruptedException {
    PythonResult result = run("print('partial', end='')\nsum(range(10**15))", SHORT);
    assertEquals(Status.TIMED_OUT, result.status());
    assertEquals("partial", result.stdout());
  }

  @Test
  void aTimeLimitThatTheJobSwallowsIsStillOne() throws InterruptedException {
    PythonResult result =
        run("try:\n    while True: pass\nexcept BaseException: pass\n'done'", SHORT);
    assertEquals(Status.TIMED_OUT, result.status());
    assertEquals("null", result.valueJson());
  }

  @Test
  void aSignalTheJobSendsItselfIsNoTimeLimit() throws InterruptedException {
    PythonResult result =
        run("import signal\nsignal.raise_signal(signal.SIGXCPU)\n1", Limits.DEFAULT);
    assertEquals(Status.FAILED, result.status(), result::toString);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x = []\nwhile True: x.append(bytearray(10**6))",
        "x = ''\nwhile True: x += 'y' * 10**6",
        "bytearray(1 << 30)",
        "[0] * (1 << 29)",
        "x = {}\nwhile True: x[len(x)] = str(len(x)) * 1000",
        "def g(): yield from g()\nx = list(range(10**9))",
        "'%0999999999d' % 1",
        "import re\nx = [1]\nwhile True: x += x",
      })
  void memory(String code) throws InterruptedException {
    PythonResult result = run(code, Limits.DEFAULT.withMemoryBytes(64 << 20));
    assertEquals(Status.FAILED, result.status(), result::toString);
    assertEquals("MemoryError", result.error().type(), result::toString);
  }

  @Test
  void memoryErrorCanBeCaught() throws InterruptedException {
    PythonResult result =
        run(
            "try:\n    bytearray(1 << 29)\nexcept MemoryError:\n    r = 'caught'\nr",
            Limits.DEFAULT.withMemoryBytes(64 << 20));
    assertEquals("\"caught\"", result.valueJson(), result::toString);
  }

  @Test
  void memoryIsGivenBack() throws InterruptedException {
    for (int i = 0; i < 5; i++) {
      assertTrue(run("len(bytearray(100_000_000))", Limits.DEFAULT).succeeded());
    }
  }

  @Test
  void outputIsCutWithoutFailing() throws InterruptedException {
    PythonResult result =
        run(
            "import sys\nfor _ in range(1000): print('é' * 40)\nprint('e', file=sys.stderr)\n'ok'",
            Limits.DEFAULT.withOutputBytes(1000));
    assertEquals("\"ok\"", result.valueJson());
    assertTrue(result.truncated());
    assertTrue(result.stdout().startsWith("éé"));
    assertFalse(result.stdout().contains("\ufffd"));
    assertEquals("e\n", result.stderr());
  }

  @Test
  void fileSpace() throws InterruptedException {
    PythonResult result =
        run(
            "with open('/tmp/x', 'wb', buffering=0) as f:\n"
                + "    while True: f.write(b'x' * 100_000)",
            Limits.DEFAULT.withFileBytes(1 << 20));
    assertEquals("OSError", result.error().type(), result::toString);
    assertTrue(result.error().message().contains("No space left"), result::toString);
    assertTrue(
        run("open('/tmp/x', 'wb').write(b'x' * 900_000)", Limits.DEFAULT.withFileBytes(1 << 20))
            .succeeded());
  }

  @Test
  void figuresMustBePositive() {
    var error =
        assertThrows(IllegalArgumentException.class, () -> Limits.DEFAULT.withOutputBytes(0));
    assertEquals("outputBytes is 0; it must be positive", error.getMessage());
    assertThrows(IllegalArgumentException.class, () -> Limits.DEFAULT.withWallTime(Duration.ZERO));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "import os\nos._exit(0)",
        "import os\nos.abort()",
        "import os\nos.kill(os.getpid(), 9)",
        "import signal\nsignal.raise_signal(signal.SIGABRT)",
        "import signal\nsignal.raise_signal(signal.SIGTERM)",
        "import faulthandler\nfaulthandler._sigsegv()",
        "import faulthandler\nfaulthandler._fatal_error_c_thread()",
        "import faulthandler\nfaulthandler._stack_overflow()",
        "import ctypes\nctypes.memset(3567648, 255, 5242880)",
        "import ctypes\nctypes.string_at(0xfffffff0, 100)",
        "import ctypes\nctypes.cast(12345, ctypes.CFUNCTYPE(None))()",
        "import ctypes\nctypes.pythonapi.Py_FatalError(b'x')",
        "import ctypes\nctypes.memset(id(None), 0, 16)\nNone",
        "import ctypes, sys\nctypes.memset(id(sys), 0, 64)\nsys.x",
        "import sys\nsys.exit()",
        "exit()",
        "import _pyodide_core",
        "import sys\ndel sys.modules['_pyodide_core']\nimport _pyodide_core",
        "import sys\ndel sys.modules['builtins'], sys.modules['sys']\nsys.modules.clear()\n1 / 0",
        "import builtins\nbuiltins.__dict__.clear()\n1 / 0",
        "import sys\nsys._getframe(1).f_globals.clear()\n1 / 0",
        "import sys\nsys.modules['_pyrunr.bootstrap']._failure = None\n1 / 0",
        "import sys\nsys.modules['_pyrunr.bootstrap']._failure = lambda e: b''\n1 / 0",
        "import sys\nsys.modules['_pyrunr.bootstrap']._failure = lambda e: 'text'\n1 / 0",
        "import sys\nsys.modules['_pyrunr.bootstrap']._failure = lambda e: b'E[]'\n1 / 0",
        "import sys\nsys.modules['_pyrunr.bootstrap']._failure = lambda e: b'E{\"a\"'\n1 / 0",
        "import os\nfor fd in range(20):\n  try: os.close(fd)\n  except OSError: pass\n1 / 0",
      })
  void noWayOut(String code) throws InterruptedException {
    PythonResult result = run(code, Limits.DEFAULT);
    assertFalse(result.succeeded(), result::toString);
    assertFalse(result.error().type().isEmpty());
  }

  @Test
  void unboundedIsNotNothing() throws InterruptedException {
    for (Limits limits :
        new Limits[] {Limits.UNBOUNDED, Limits.DEFAULT.withMemoryBytes(Long.MAX_VALUE)}) {
      assertEquals("60000000", run("len(bytearray(60_000_000))", limits).valueJson());
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> Limits.DEFAULT.withWallTime(Duration.ofSeconds(Long.MAX_VALUE)));
  }

  /** What others ask for does not matter; the executor's own limits neither. */
  @Test
  void noJobGetsMoreThanTheCeiling() throws InterruptedException {
    Limits ceiling = new Limits(Duration.ofSeconds(2), 64L << 20, 1000, 10_000, 100);
    Limits greedy = new Limits(Duration.ofHours(1), 1L << 30, 1 << 20, 1L << 30, 1 << 20);
    try (PythonExecutor strict = PythonExecutor.builder().limits(greedy).ceiling(ceiling).build()) {
      for (Limits asked : new Limits[] {null, greedy}) {
        assertEquals(
            Status.TIMED_OUT,
            strict.run(PythonJob.of("while True: pass").withLimits(asked)).status());
        assertEquals("MemoryError", error(strict, "bytearray(100 << 20)", asked));
        assertEquals("OSError", error(strict, "open('/tmp/x', 'wb').write(bytes(99999))", asked));
        assertFalse(strict.run(PythonJob.of("'x' * 200").withLimits(asked)).succeeded());
        PythonResult loud = strict.run(PythonJob.of("print('x' * 5000)").withLimits(asked));
        assertTrue(loud.truncated());
        assertTrue(loud.stdout().length() <= 1000, loud.stdout());
      }
      PythonResult modest =
          strict.run(
              PythonJob.of("while True: pass")
                  .withLimits(ceiling.withWallTime(Duration.ofMillis(100))));
      assertTrue(modest.error().message().endsWith("0.1 s"), modest.error().message());
    }
  }

  private static String error(PythonExecutor executor, String code, Limits limits)
      throws InterruptedException {
    PythonResult result = executor.run(PythonJob.of(code).withLimits(limits));
    return result.error() == null ? "none" : result.error().type();
  }
}
