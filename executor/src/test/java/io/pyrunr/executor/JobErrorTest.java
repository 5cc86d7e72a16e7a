package io.pyrunr.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pyrunr.executor.PythonResult.Status;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a result says of an exception. */
class JobErrorTest {
  private static final Limits PATIENT = Limits.DEFAULT.withWallTime(Duration.ofSeconds(20));

  private static PythonExecutor python;

  @BeforeAll
  static void start() {
    python = PythonExecutor.builder().build();
  }

  @AfterAll
  static void stop() {
    python.close();
  }

  private static PythonError errorOf(String code) throws InterruptedException {
    PythonResult result = python.run(PythonJob.of(code));
    assertEquals(Status.FAILED, result.status(), result::toString);
    assertEquals("null", result.valueJson());
    return result.error();
  }

  /** Of frames that are not alike the first and the last hundred are written. */
  @Test
  void deepMutualRecursionIsShortened() throws InterruptedException {
    String traceback = errorOf("def a(n): b(n + 1)\n\ndef b(n): a(n + 1)\n\na(0)").traceback();
    assertTrue(traceback.contains("frames left out …\n  File \"<job>\""), traceback);
    assertTrue(traceback.endsWith("RecursionError: maximum recursion depth exceeded\n"), traceback);
    assertEquals(200, traceback.lines().filter(line -> line.contains("File \"<job>\"")).count());
  }

  @Test
  void tracebackShowsTheJobsLinesOnly() throws InterruptedException {
    assertEquals(
        """
        Traceback (most recent call last):
          File "<job>", line 3, in <module>
            outer(0)
            ~~~~~^^^
          File "<job>", line 2, in outer
            return 1 / x
                   ~~^~~
        ZeroDivisionError: division by zero
        """,
        errorOf("def outer(x):\n    return 1 / x\nouter(0)").traceback());
  }

  @Test
  void libraryFramesBelowTheJobsStay() throws InterruptedException {
    String traceback = errorOf("import json\njson.loads('{')").traceback();
    assertTrue(traceback.contains("File \"<job>\", line 2"), traceback);
    assertTrue(traceback.contains("json/decoder.py"), traceback);
    assertFalse(traceback.contains("_pyrunr") || traceback.contains("_pyodide"), traceback);
  }

  @Test
  void syntaxErrorPointsAtTheLine() throws InterruptedException {
    PythonError error = errorOf("x = 1\ny = (2\n");
    assertEquals("SyntaxError", error.type());
    assertEquals(
        """
          File "<job>", line 2
            y = (2
                ^
        SyntaxError: '(' was never closed
        """,
        error.traceback());
    assertEquals("IndentationError", errorOf("if 1:\npass").type());
  }

  @Test
  void causesAndContextsAreShown() throws InterruptedException {
    String traceback =
        errorOf("try:\n  {}['a']\nexcept KeyError as e:\n  raise ValueError('b') from e")
            .traceback();
    assertTrue(traceback.contains("KeyError: 'a'"), traceback);
    assertTrue(traceback.contains("direct cause"), traceback);
    assertTrue(traceback.endsWith("ValueError: b\n"), traceback);
  }

  @Test
  void exceptionGroupsAreShown() throws InterruptedException {
    PythonError error =
        errorOf(
            """
            import asyncio
            async def fail(n):
                raise ValueError(n)
            async with asyncio.TaskGroup() as group:
                group.create_task(fail(1))
                group.create_task(fail(2))
            """);
    assertEquals("ExceptionGroup", error.type());
    assertTrue(error.traceback().contains("ValueError: 1"), error.traceback());
    assertTrue(error.traceback().contains("ValueError: 2"), error.traceback());
    assertFalse(error.traceback().contains("_pyrunr"), error.traceback());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "raise SystemExit | SystemExit | ``",
        "import sys; sys.exit('bye') | SystemExit | bye",
        "raise KeyboardInterrupt('me') | KeyboardInterrupt | me",
        "raise GeneratorExit | GeneratorExit | ``",
        "raise StopIteration(3) | StopIteration | 3",
        "class Boom(BaseException): pass\\nraise Boom('b') | Boom | b",
        "class E(Exception):\\n  def __str__(self): 1 / 0\\nraise E | E | `<str() of the exception"
            + " failed: ZeroDivisionError>`",
        "raise ValueError('\\ud800') | ValueError | \ud800",
        "import traceback\\ntraceback.TracebackException = None\\n1 / 0 | ZeroDivisionError |"
            + " division by zero",
        "import js | ModuleNotFoundError | `No module named 'js': it is the browser's JavaScript"
            + " objects, and this Python runs in a JVM, without JavaScript`",
        "import pyodide_js.x | ModuleNotFoundError | `No module named 'pyodide_js': it is"
            + " Pyodide's JavaScript API, and this Python runs in a JVM, without JavaScript`",
      })
  void typeAndMessage(String code, String type, String message) throws InterruptedException {
    PythonError error = errorOf(code.replace("\\n", "\n"));
    assertEquals(type, error.type());
    assertEquals(message, error.message());
  }

  @Test
  void hugeMessagesAreCut() throws InterruptedException {
    PythonError error = errorOf("raise ValueError('x' * 10_000_000)");
    assertTrue(error.message().length() < 70_000);
    assertTrue(error.message().contains("characters left out"));
    assertTrue(error.traceback().length() < 140_000);
  }

  @Test
  void deepRecursionIsFolded() throws InterruptedException {
    PythonError error = errorOf("def f(n):\n    return f(n + 1)\nf(0)");
    assertEquals("RecursionError", error.type());
    assertTrue(error.traceback().contains("Previous line repeated"), error.traceback());
    assertTrue(error.traceback().length() < 2000);
  }

  @Test
  void whatTheJobPrintedIsKept() throws InterruptedException {
    PythonResult result =
        python.run(
            PythonJob.of("import sys\nprint('a', end='')\nprint('b', file=sys.stderr)\n1 / 0"));
    assertEquals("a", result.stdout());
    assertEquals("b\n", result.stderr());
  }

  @Test
  void mainIsARealModule() throws InterruptedException {
    String code =
        """
        import pickle, sys, typing, inspect, dataclasses
        @dataclasses.dataclass
        class P:
            x: "int"
        def f(): return 1
        assert __name__ == "__main__" and sys.modules["__main__"].P is P
        assert pickle.loads(pickle.dumps(P(3))) == P(3)
        assert typing.get_type_hints(P) == {"x": int}
        assert inspect.getsource(f) == "def f(): return 1\\n"
        params is None
        """;
    assertEquals("true", python.run(PythonJob.of(code)).valueJson());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "import json\nx = []\nfor _ in range(100000): x = [x]\njson.dumps(x)",
        "x = []\nfor _ in range(100000): x = [x]\nrepr(x)",
        "x = ()\nfor _ in range(100000): x = (x,)\nhash(x)",
        "x = y = None\nfor _ in range(100000): x, y = [x], [y]\nx == y",
        "import pickle\nx = []\nfor _ in range(100000): x = [x]\npickle.dumps(x)",
        "import copy\nx = []\nfor _ in range(100000): x = [x]\ncopy.deepcopy(x)",
        "import json\njson.loads('[' * 100000)",
        "import marshal\nx = ()\nfor _ in range(100000): x = (x,)\nmarshal.dumps(x)",
        "import functools\nf = len\nfor _ in range(100000): f = functools.partial(f)\nrepr(f)",
        "class A:\n  def __getattr__(self, n): return getattr(self, n + 'x')\nA().y",
        "class A:\n  def __repr__(self): return repr(self)\nrepr(A())",
        "class A:\n  def __eq__(self, o): return self == o\nA() == 1",
        "class A:\n  def __hash__(self): return hash(self)\n{A()}",
        "class A:\n  def __call__(self): return self()\nA.__call__ = A()\nA()()",
        "class A:\n  __class__ = property(lambda s: isinstance(s, int))\nisinstance(A(), int)",
        "def f(x): return sorted([1, 2], key=f)\nf(0)",
        "import functools\n@functools.cache\ndef f(n): return f(n + 1)\nf(0)",
        "eval('+' * 100000 + '1')",
        "eval('(' * 5000 + ')' * 5000)",
        "eval('f(' * 5000 + ')' * 5000)",
        "eval('1' + '+1' * 100000)",
        "exec('\\n'.join(' ' * i + 'if 1:' for i in range(2000)))",
        "import ast\nast.parse('-' * 100000 + '1')",
        "import re\nre.compile('(' * 5000 + ')' * 5000)",
        "import re\nre.match('(?:a|b)*' * 50 + 'c', 'ab' * 20000) or 1 / 0",
        "import sys\nsys.setrecursionlimit(10**6)\ndef f(n): return f(n + 1)\nf(0)",
        "import sys\nsys.setrecursionlimit(10**6)\nclass A:\n  def __repr__(self): return"
            + " repr(self)\nrepr(A())",
        "import itertools\nx = iter(())\nfor _ in range(100000): x ="
            + " itertools.chain(x, ())\nnext(x)",
        "x = iter([1])\nfor _ in range(100000): x = map(abs, x)\nnext(x)",
        "x = None\nfor _ in range(200000): x = (x,)\ndel x\nraise RecursionError",
        "import xml.etree.ElementTree as E\nE.fromstring('<a>' * 100000)",
      })
  void recursionOfEveryKindIsContained(String code) throws InterruptedException {
    PythonResult result = python.run(PythonJob.of(code).withLimits(PATIENT));
    // Some succeed: Java's stack is deep enough for what overflows a native one.
    assertEquals("2", python.run(PythonJob.of("1 + 1")).valueJson());
    if (result.status() == Status.FAILED) {
      String type = result.error().type();
      assertTrue(
          type.matches(
              "RecursionError|MemoryError|SyntaxError|IndentationError|ParseError|JSONDecodeError"
                  + "|ZeroDivisionError|ValueError|OverflowError|PicklingError|StopIteration"),
          result::toString);
    }
  }
}
