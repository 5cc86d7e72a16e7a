package io.pyrunr.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that take our own Python apart, or give the host work without end. */
@Timeout(120)
class TamperingTest {
  private static final PythonExecutor PYTHON = PythonExecutor.builder().workers(1).build();

  @AfterAll
  static void close() {
    PYTHON.close();
  }

  /** For what ends by itself, on a slow machine too. */
  private static PythonResult run(String code) throws InterruptedException {
    return run(code, Duration.ofSeconds(100));
  }

  /** For what has to be stopped. */
  private static PythonResult runBriefly(String code) throws InterruptedException {
    return run(code, Duration.ofSeconds(2));
  }

  private static PythonResult run(String code, Duration wallTime) throws InterruptedException {
    PythonResult result =
        PYTHON.run(PythonJob.of(code).withLimits(Limits.DEFAULT.withWallTime(wallTime)));
    assertEquals("2", PYTHON.run(PythonJob.of("1 + 1")).valueJson());
    return result;
  }

  /** The text goes into files, answers and databases as it is. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "b'1}\\n{\"id\":\"forged\",\"value\":1'",
        "b'1\\n2'",
        "b'1 2'",
        "b'\\xff\\xfe not JSON'",
        "b'{\"a\":1'",
        "b'NaN'",
        "b'[1,]'",
        "b' '",
        "b'[' * 100000",
        "b'[' * 5000 + b']' * 5000",
        "b'\"' + b'x' * (20 << 20) + b'\"'"
      })
  void resultsCannotBeForged(String bytes) throws InterruptedException {
    PythonResult result =
        run(
            """
            import _pyrunr.bootstrap
            class Values:
                def to_json(*_): return %s
            _pyrunr.bootstrap.values = Values
            """
                .formatted(bytes));
    assertEquals(PythonResult.Status.FAILED, result.status(), result::toString);
    assertEquals("SystemError", result.error().type());
  }

  /** Classes stay with the JVM, so a job must not choose how many there are. */
  @Test
  void typesOfCallbacksAreNotUsedUp() throws InterruptedException {
    long classes = ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount();
    PythonResult greedy =
        run(
            """
            import ctypes, itertools
            types = [ctypes.c_int, ctypes.c_longlong, ctypes.c_float, ctypes.c_double]
            n = 0
            for types in itertools.islice(itertools.product(types, repeat=7), 1100):
                n += ctypes.CFUNCTYPE(ctypes.c_int, *types)(lambda *a: 1)(*[0] * 7)
            n
            """);
    assertEquals("1100", greedy.valueJson(), greedy::toString);
    long more = ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount() - classes;
    assertTrue(more < 500, "classes: " + more);
    PythonResult modest =
        run(
            """
            import ctypes
            values = (ctypes.c_int * 5)(5, 3, 1, 4, 2)
            F = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))
            ctypes.CDLL(None).qsort(values, 5, 4, F(lambda a, b: a[0] - b[0]))
            list(values)
            """);
    assertEquals("[1,2,3,4,5]", modest.valueJson().replace(" ", ""), modest::toString);
  }

  /** They are kept in a database and the type is logged. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "raise type('A\\nB\\r\\x1b[31m\\u2028' * 100, (Exception,), {})('x' * (30 << 20))",
        "import _pyrunr.errors as e\ne.cut = lambda text: text\nraise ValueError('x' * (1 << 20))",
        "import _pyrunr.errors as e\ne.cut = lambda text: text\nraise ValueError('x' * (9 << 20))",
        "raise ValueError('\\U0001f600' * (1 << 20))",
        """
        import ctypes as c
        text = c.create_string_buffer(b'x' * (30 << 20))
        c.CDLL(None).__assert_fail(text, text, 1, text)
        """,
        """
        import ctypes as c
        text = c.create_string_buffer(b'x' * (30 << 20))
        handle = c.c_void_p(c.CDLL(None)._handle)
        c.CDLL(None).dlsym.restype = c.c_void_p
        c.CDLL(None).dlsym(handle, text)
        c.CDLL(None).dlerror.restype = c.c_char_p
        raise ValueError(c.CDLL(None).dlerror().decode())
        """
      })
  void errorsAreShort(String code) throws InterruptedException {
    PythonResult result = run(code);
    assertEquals(PythonResult.Status.FAILED, result.status(), result::toString);
    PythonError error = result.error();
    assertTrue(error.type().length() <= 201, error.type());
    assertTrue(error.type().chars().noneMatch(c -> c < ' ' || c == 0x2028), error.type());
    assertTrue(error.message().length() < 140_000, "message: " + error.message().length());
    assertTrue(error.traceback().length() < 140_000, "trace: " + error.traceback().length());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "import os\nb = bytearray(1 << 20)\nwhile True: os.writev(1, [b] * 1_000_000)",
        "import os\nb = bytearray(1 << 20)\nos.readv(os.open('/dev/urandom', 0), [b] * 1_000_000)",
        """
        import ctypes as c
        type = (c.c_uint * 3)(4, 0x000d0004, 0)
        members = (c.c_uint * 2)(c.addressof(type), 0)
        type[2] = c.addressof(members)
        cif = (c.c_uint * 8)(1, 0, 0, c.addressof(type), 0, 0, 0, 0)
        c.CDLL(None).ffi_call(cif, c.c_void_p(5), None, None)
        """
      })
  void hostLoopsAreStopped(String code) throws InterruptedException {
    PythonResult result = runBriefly(code);
    assertEquals(PythonResult.Status.TIMED_OUT, result.status(), result::toString);
  }

  @Test
  void aCallHasAtMostAsManyArgumentsAsCtypesAllows() throws InterruptedException {
    for (String count : List.of("500_000_000", "0xffffffff")) {
      PythonResult result =
          run(
              """
              import ctypes as c
              type = (c.c_uint * 3)(4, 0x000a0004, 0)
              cif = (c.c_uint * 8)(1, %s, 0, c.addressof(type), 0, 0, 0, 0)
              c.CDLL(None).ffi_call(cif, c.c_void_p(5), None, None)
              """
                  .formatted(count));
      assertEquals(PythonResult.Status.FAILED, result.status(), result::toString);
    }
  }

  /**
   * Closures are made by hand and changed in all places; whatever comes of it ends with the job.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "prepare(code.value)\ncall()", // calls itself
        "prepare(5)\ncif[1] = cif[6] = 1000\ncall()",
        "prepare(5)\ntry: call()\nfinally: pass\ncif[1] = cif[6] = 1000\ncall()",
        "cif[1] = 0xffffffff\nprepare(5)\ncall()",
        "cif[3] = 8\nprepare(5)\ncall()",
        "kind[1] = 0x000f0004\nprepare(5)\ncall()",
        "kind[1] = 0x000d0004\nkind[2] = c.addressof(args)\nprepare(5)\ncall()",
        "code.value = 1\nprepare(5)\ncall()",
        "code.value = 0xffffffff\nprepare(5)\ncall()",
        "closure = 0x7fffff00\nprepare(5)\ncall()",
        "closure = 0\nprepare(5)\ncall()",
        "prepare(0x7fffffff)\ncall()",
        "while libc.ffi_closure_alloc(16, c.byref(code)): pass"
      })
  void closuresCannotBeMisused(String misuse) throws InterruptedException {
    PythonResult result =
        runBriefly(
            """
            import ctypes as c
            libc = c.CDLL(None)
            code = c.c_void_p()
            libc.ffi_closure_alloc.restype = c.c_void_p
            closure = libc.ffi_closure_alloc(16, c.byref(code))
            kind = (c.c_uint * 3)(4, 0x000a0004, 0)
            args = (c.c_uint * 2)(c.addressof(kind), 0)
            cif = (c.c_uint * 8)(1, 1, c.addressof(args), c.addressof(kind), 0, 0, 1, 0)
            def prepare(function):
                libc.ffi_prep_closure_loc(c.c_void_p(closure), cif, c.c_void_p(function), None, code)
            def call():
                c.CFUNCTYPE(c.c_int, c.c_int)(code.value)(5)
            """
                + misuse);
    assertTrue(result.error() != null || misuse.startsWith("while"), result::toString);
  }

  @Test
  void dlopenFailsAsAnOsError() throws InterruptedException {
    PythonResult result =
        run(
            """
            import ctypes, os
            os.mkdir("/tmp/q"); os.chdir("/tmp/q"); os.rmdir("/tmp/q")
            messages = []
            for path in ("/tmp/none.so", "none.so", "/tmp/100%done_%s_%n.so", "/" + "a/" * 100_000):
                try: ctypes.CDLL(path)
                except OSError as error: messages.append(str(error))
            assert "/tmp/100%done_%s_%n.so: No such file" in messages[2]
            len(messages)
            """);
    assertEquals("4", result.valueJson(), result::toString);
  }

  @Test
  void namesOfClassesAreCut() throws InterruptedException {
    PythonResult result = run("raise type('A' * 200_000, (Exception,), {})('m')");
    assertEquals("A".repeat(200) + "…", result.error().type());
  }

  @Test
  void requirementsAreLimited() {
    PythonJob job = PythonJob.of("1");
    assertThrows(
        IllegalArgumentException.class, () -> job.withRequires(Collections.nCopies(101, "six")));
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () -> job.withRequires(List.of("six[" + "a,".repeat(500) + "b]")));
    assertTrue(e.getMessage().contains("at most 200"), e.getMessage());
  }
}
