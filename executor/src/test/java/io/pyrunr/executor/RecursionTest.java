package io.pyrunr.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Recursion without end, in Python and through everything in C that calls back or walks a nested
 * value: an error that the job can catch, and the same interpreter runs the next job.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RecursionTest {
  /** Calls {@code f}, and gives the name of the exception it ends with. */
  private static final String CATCH =
      """

      try:
          f()
          r = 'ended'
      except BaseException as e:
          r = type(e).__name__
      r
      """;

  /** A nested value of every container kind, deeper than any stack. */
  private static final String NEST =
      """
      def nest(wrap, depth=50_000):
          x = wrap(0)
          for _ in range(depth):
              x = wrap(x)
          return x
      """;

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
  void nextJobIsFineAndOnTheSameInterpreter() throws InterruptedException {
    assertEquals("2", python.run(PythonJob.of("1 + 1")).valueJson());
    assertEquals(0, python.statistics().replacements());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "def f(): f()",
        "f = lambda: f()",
        "def f(*a, **k): f(*a, **k)",
        "def f():\n  with open('/dev/null'): f()",
        "def f(): return [f() for _ in range(2)]",
        "def f(): return sum(f() for _ in range(2))",
        "def g(): yield from g()\ndef f(): list(g())",
        "def f(): exec('f()', globals())",
        "def f(): eval('f()')",
        "class A:\n  def __getattr__(self, n): return getattr(self, n + 'x')\ndef f(): A().a",
        "class A:\n  def __getattribute__(self, n): return self.x\ndef f(): A().a",
        "class A:\n  def __repr__(self): return repr(self)\ndef f(): repr(A())",
        "class A:\n  def __str__(self): return f'{self}'\ndef f(): str(A())",
        "class A:\n  def __format__(self, s): return format(self, s)\ndef f(): f'{A():>4}'",
        "class A:\n  def __eq__(self, o): return self == o\ndef f(): A() == A()",
        "class A:\n  def __lt__(self, o): return sorted([A(), A()])\ndef f(): sorted([A(), A()])",
        "class A:\n  def __hash__(self): return hash(self)\ndef f(): {A(): 1}",
        "class A:\n  def __add__(self, o): return self + o\ndef f(): A() + A()",
        "class A:\n  def __radd__(self, o): return o + self\ndef f(): 1 + A()",
        "class A:\n  def __bool__(self): return not self\ndef f(): bool(A())",
        "class A:\n  def __len__(self): return len(self)\ndef f(): len(A())",
        "class A:\n  def __iter__(self): return iter(self)\ndef f(): list(A())",
        "class A:\n  def __next__(self): return next(self)\n  def __iter__(self): return self\n"
            + "def f(): list(A())",
        "class A:\n  def __contains__(self, o): return o in self\ndef f(): 1 in A()",
        "class A:\n  def __call__(self): return self()\ndef f(): A()()",
        "class A:\n  def __index__(self): return [0][self]\ndef f(): [0][A()]",
        "class A:\n  def __init__(self): A()\ndef f(): A()",
        "class A:\n  def __new__(c): return c()\ndef f(): A()",
        "class A:\n  def __get__(self, o, t): return o.a\nclass B: a = A()\ndef f(): B().a",
        "class A:\n  def __set__(self, o, v): o.a = v\nclass B: a = A()\ndef f(): B().a = 1",
        "class A:\n  def __setattr__(self, n, v): self.n = v\ndef f(): A().a = 1",
        "class M(type):\n  def __call__(c): return c()\nclass A(metaclass=M): pass\ndef f(): A()",
        "class M(type):\n  def __instancecheck__(c, o): return isinstance(o, c)\n"
            + "class A(metaclass=M): pass\ndef f(): isinstance(1, A)",
        "class A:\n  def __reduce__(self): import pickle; pickle.dumps(self)\n"
            + "def f():\n  import pickle; pickle.dumps(A())",
        "import functools\n@functools.lru_cache(None)\ndef g(n): return g(n + 1)\ndef f(): g(0)",
        "import functools\ndef f(): functools.reduce(lambda a, b: f(), [1, 2])",
        "def f(): list(map(lambda _: f(), [1]))",
        "def f(): sorted([1, 2], key=lambda _: f())",
        "def f(): max([1, 2], key=lambda _: f())",
        "import re\ndef f(): re.sub('a', lambda m: f(), 'a')",
        "import json\ndef f(): json.loads('{}', object_hook=lambda d: f())",
        "import operator\nclass A:\n  def __getattr__(self, n): return operator.attrgetter('a')(self)\n"
            + "def f(): A().a",
        "import contextlib\n@contextlib.contextmanager\ndef g():\n  with g(): yield\n"
            + "def f():\n  with g(): pass",
        "async def g(): await g()\ndef f():\n  try: g().send(None)\n  except StopIteration: pass",
        "import sys\ndef t(*a): f()\ndef f():\n  sys.settrace(t)\n  g = lambda: 0\n  g()\n  f()",
        "import csv\nclass A:\n  def __iter__(self): return self\n"
            + "  def __next__(self): return next(csv.reader(A()))\ndef f(): list(csv.reader(A()))",
        "import ctypes\nF = ctypes.CFUNCTYPE(ctypes.c_int)\ndef f(): return g()\ng = f",
      })
  void recursionEndsInAnErrorTheJobCanCatch(String code) throws InterruptedException {
    String value = run(code + CATCH);
    assertTrue(value.matches("\"(RecursionError|MemoryError)\""), () -> code + " gave " + value);
  }

  /** Some of these end well; none takes the interpreter with it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "def f(): repr(nest(lambda x: [x]))",
        "def f(): repr(nest(lambda x: (x,)))",
        "def f(): repr(nest(lambda x: {1: x}))",
        "def f(): str(nest(lambda x: {'a': [x]}))",
        "def f(): hash(nest(lambda x: (x,)))",
        "def f(): nest(lambda x: [x]) == nest(lambda x: [x])",
        "def f(): nest(lambda x: (x,)) < nest(lambda x: (x,))",
        "import copy\ndef f(): copy.deepcopy(nest(lambda x: [x]))",
        "import json\ndef f(): json.dumps(nest(lambda x: [x]))",
        "import json\ndef f(): json.dumps(nest(lambda x: {'a': x}))",
        "import json\ndef f(): json.dumps(nest(lambda x: [x]), indent=1)",
        "import json\ndef f(): json.loads('[' * 100_000)",
        "import json\ndef f(): json.loads('{\"a\":' * 100_000)",
        "import pickle\ndef f(): pickle.dumps(nest(lambda x: [x]))",
        "import pickle\ndef f(): pickle._dumps(nest(lambda x: [x]))",
        "import pickle\ndef f(): pickle.loads(b'(' * 10**6 + b't' * 10**6 + b'.')",
        "import marshal\ndef f(): marshal.dumps(nest(lambda x: [x]))",
        "import marshal\ndef f(): marshal.loads(b'[\\1\\0\\0\\0' * 100_000 + b'N')",
        "def f(): compile('(' * 100_000 + ')' * 100_000, '', 'eval')",
        "def f(): compile('-' * 100_000 + '1', '', 'eval')",
        "def f(): compile('a' + '.b' * 100_000, '', 'eval')",
        "def f(): compile('a' + '()' * 100_000, '', 'eval')",
        "def f(): compile('a' + '[0]' * 100_000, '', 'eval')",
        "def f(): compile('1+' * 100_000 + '1', '', 'eval')",
        "def f(): compile('not ' * 100_000 + '1', '', 'eval')",
        "def f(): compile('lambda: ' * 100_000 + '1', '', 'eval')",
        "def f(): compile('1 if 1 else ' * 100_000 + '1', '', 'eval')",
        "def f(): compile('if 1: pass\\n' + 'elif 1: pass\\n' * 50_000, '', 'exec')",
        "def f(): compile('f\"{' * 200 + '1' + '}\"' * 200, '', 'eval')",
        "def f(): compile('await ' * 100_000 + '1', '', 'eval')",
        "import ast\ndef f(): ast.literal_eval('[' * 100_000 + ']' * 100_000)",
        "import ast\ndef f():\n  n = ast.Constant(1, lineno=1, col_offset=0, end_lineno=1,"
            + " end_col_offset=0)\n"
            + "  for _ in range(100_000): n = ast.UnaryOp(ast.USub(), n, lineno=1, col_offset=0,"
            + " end_lineno=1, end_col_offset=0)\n"
            + "  compile(ast.Expression(n), '', 'eval')",
        "import re\ndef f(): re.compile('(' * 50_000 + ')' * 50_000)",
        "import re\ndef f(): re.match('(?:x(?:y)?)*' * 200 + '$', 'xy' * 50_000)",
        "import re\ndef f(): re.match('(.|\\\\n)*?z', 'a' * 1_000_000)",
        "import xml.etree.ElementTree as e\ndef f(): e.tostring(e.fromstring('<a>' * 50_000 + '</a>'"
            + " * 50_000))",
        "import xml.parsers.expat as e\ndef f(): e.ParserCreate().Parse('<a>' * 100_000)",
        "import itertools\ndef f():\n  i = iter([])\n  for _ in range(100_000): i ="
            + " itertools.chain(i)\n  list(i)",
        "def f():\n  i = iter([1])\n  for _ in range(100_000): i = map(abs, i)\n  list(i)",
        "def f():\n  i = iter([1])\n  for _ in range(100_000): i = zip(i)\n  list(i)",
        "def f():\n  i = iter([1])\n  for _ in range(100_000): i = filter(None, i)\n  list(i)",
        "def f():\n  t = int\n  for _ in range(5_000): t = list[t]\n  repr(t)",
        "def f():\n  t = int\n  for _ in range(100_000): t = (t,)\n  isinstance('a', t)",
        "def f():\n  t = ('a',)\n  for _ in range(100_000): t = (t,)\n  'b'.startswith(t)",
        "def f():\n  c = object\n  for i in range(1_000): c = type('C', (c,), {})\n  c().x",
        "def f():\n  e = None\n  for _ in range(100_000):\n    n = ValueError()\n    n.__cause__ = e\n"
            + "    e = n\n  raise e",
        "def f():\n  e = ValueError()\n  for _ in range(50_000): e = ExceptionGroup('', [e])\n"
            + "  raise e",
        "def f():\n  def g(d): return d and [g(d - 1)] or 0\n  x = None\n"
            + "  for _ in range(200_000): x = [x]\n  del x",
        "def f():\n  class A:\n    def __init__(self, n): self.n = n\n  x = None\n"
            + "  for _ in range(200_000): x = A(x)\n  del x",
        "import weakref\ndef f():\n  class A: pass\n  x = None\n  for _ in range(100_000):\n"
            + "    y = A()\n    y.x = x\n    weakref.finalize(y, int)\n    x = y\n  del x, y",
        "import gc\ndef f():\n  x = []\n  for _ in range(200_000): x = [x]\n  x.append(x)\n  del x\n"
            + "  gc.collect()",
        "import decimal\ndef f(): decimal.Decimal('1' * 100_000) ** 3",
        "import string\ndef f(): '{:{:{}}}'.format(1, 2, 3)",
        "import os\ndef f():\n  for _ in range(2000):\n    os.mkdir('d')\n    os.chdir('d')\n"
            + "  import shutil\n  shutil.rmtree('/home/pyodide/d')",
        "import glob, os\ndef f():\n  os.makedirs('/tmp/' + 'd/' * 500)\n  glob.glob('/tmp/**',"
            + " recursive=True)",
        "import csv\ndef f(): list(csv.reader(['\"' * 1_000_001]))",
      })
  void nestedValuesDoNoHarm(String code) throws InterruptedException {
    String value = run(NEST + code + CATCH);
    assertTrue(value.matches("\"\\w+\""), () -> code + " gave " + value);
  }

  private static String run(String code) throws InterruptedException {
    PythonResult result = python.run(PythonJob.of(code));
    return result.succeeded() ? result.valueJson() : result.toString();
  }
}
