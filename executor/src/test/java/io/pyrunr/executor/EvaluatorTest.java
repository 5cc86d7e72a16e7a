package io.pyrunr.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The job runner gives what Pyodide's own evaluator gives, source by source. */
class EvaluatorTest {
  private static final String COMPARE =
      """
      import asyncio
      from _pyodide._base import eval_code, eval_code_async
      from _pyrunr.evaluator import JobRunner

      SOURCES = [
          "", "   ", "# c", "1", "1;", "1 # ;", "1; # c", "';'", "x = ';'\\n2", "x = 1", "x = 1; x",
          "x = 1; x;", "(1,\\n2)", "  1", "\\n\\n   3\\n", "\\n  x = 4\\n  x\\n", "'doc'", "'doc';", "'doc'\\n1",
          "f'{1};'", "def f(): return 1\\nf()", "def f(): return 1", "for i in range(3): i", "if 1: 5",
          "class A: y = 2\\nA.y", "(z := 5)", "lambda: 1 and None", "[i for i in range(3)]", "None",
          "from __future__ import annotations\\ndef f(x: nope): return 1\\nf(1)", "x: int = 3\\nx",
          "import math; math.floor(2.5)", "try: 1 / 0\\nexcept ZeroDivisionError: r = 2\\nr",
          "1 / 0", "raise ValueError('x')", "y = (2", "return 3", "yield 3", "break", "nope", "del q",
          "assert False, 'm'", "exit(3)", "print", "...", "-1", "a = b = 2\\na + b", "x = 1\\nx += 1\\nx",
          "globals() is locals()", "__name__", "with open('/dev/null') as f: 1", "'''a\\nb'''",
          "match 3:\\n    case 3: 'three'", "type T = int\\nT.__name__", "1\\n;", "\\t1", "if 1:\\n\\t2",
          "x = 1 \\\\\\n-2", "x = 1 + \\\\\\n2", "x = (1,\\n2)", "x = '''a\\nb'''", "x = [\\n1\\n]", "@print\\nprint",
          "x = 1\\n[\\n  x\\n]", "x = 1\\nx # c", "x = 1\\n# c", "x = 1\\nx\\n# c\\n\\n", "x = 1\\n x", "x = 1\\nx\\\\",
          "x = 1\\n*[x], 2", "x = 1\\n1 / 0", "x = y\\nx", "x = (\\nx", "x = 1\\rx", "x = 1\\r\\nx", "x = 1\\n\\fx",
          "1\\u00a0", "1\\u2028", "x = 1\\nyield x", "'doc'\\n'value'", "x: int = 1\\n__annotations__", "if 0:\\n\\nprint",
          "def f():\\n  1\\nf", "x = 1\\nlambda: x and None", "x = 1\\n(y := x)", "while 0:\\n 1\\nelse: 2", "(1\\n)",
          "for i in (1, 2): pass\\nelse:\\n  i", "try:\\n 1\\nfinally:\\n 2\\n3", "x = '\\\\\\n'\\nx", "# \\\\\\n2",
          "x = 2 # \\\\\\nx", "global x\\nx = 3\\nx", "import math as m\\nm.floor(\\n2.5)", "x = 'a' \\\\\\n'b'\\nx",
          "if 1: x = 2\\nx", "class A:\\n  y = 2\\nA.y", "x = 1\\nx;", "x = 1\\nx; # c", "x = 1\\n';'", "x = 1\\nx; x",
      ]
      ASYNC = ["import asyncio\\nawait asyncio.sleep(0)", "x = 2\\nawait x", "async def f(): return 4\\nx = await f()\\nx",
               "import asyncio\\nawait asyncio.sleep(0)\\nx = 1", "async def f(): return 4\\nf and (await f()) + 1", "1 + 1",
               "import asyncio\\nawait asyncio.sleep(0)\\n3", "await (lambda: None)()", "async def f(): return 4\\nawait f()",
               "async def f(): return 4\\n[await f() for _ in range(2)]", "async def g():\\n  yield 1\\n[x async for x in g()]"]

      def outcome(run):
          space = {"__name__": "there"}
          try:
              value = run(space)
              return repr(value)[:40].split(" at 0x")[0], sorted(k for k in space if k != "__builtins__")
          except BaseException as e:
              return type(e).__name__, str(e).replace("<exec>", "<job>")

      def theirs(source):
          return outcome(lambda space: eval_code(source, space, flags=8192))

      def theirs_async(source):
          return outcome(lambda space: asyncio.run(eval_code_async(source, space)))

      different = []
      for source in SOURCES:
          ours = outcome(lambda space: JobRunner(source).run(space))
          if ours != theirs(source):
              different.append([source, ours, theirs(source)])
      for source in ASYNC:
          ours = outcome(lambda space: asyncio.run(JobRunner(source).run_async(space)))
          if ours != theirs_async(source):
              different.append([source, ours, theirs_async(source)])
      different
      """;

  @Test
  void agreesWithPyodide() throws InterruptedException {
    try (PythonExecutor python = PythonExecutor.builder().build()) {
      PythonResult result = python.run(PythonJob.of(COMPARE));
      assertEquals("[]", result.valueJson(), result::toString);
    }
  }

  @Test
  void blanksInsideOfStringsStay() throws InterruptedException {
    try (PythonExecutor python = PythonExecutor.builder().build()) {
      assertEquals(
          "\"a\\n   \\nb\"", python.run(PythonJob.of("x = '''a\n   \nb'''\nx")).valueJson());
    }
  }
}
