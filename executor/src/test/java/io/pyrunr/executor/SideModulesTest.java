package io.pyrunr.executor;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Extension modules compiled to WebAssembly: four small ones whose sources are in {@code
 * src/test/wheels/own}, which together use what a dynamic linker has to do.
 */
class SideModulesTest {
  private static final Path WHEELS = Path.of("src", "test", "wheels", "own", "dist");

  @TempDir static Path folder;
  @TempDir static Path cache;

  @BeforeAll
  static void dropWheels() throws IOException {
    try (DirectoryStream<Path> wheels = Files.newDirectoryStream(WHEELS, "*.whl")) {
      for (Path wheel : wheels) {
        Files.copy(wheel, folder.resolve(wheel.getFileName()));
      }
    }
  }

  private static PythonExecutor.Builder builder() {
    return PythonExecutor.builder().workers(1).wheelCache(folder).cache(cache);
  }

  private static void assertValue(String expected, PythonExecutor python, String code)
      throws InterruptedException {
    PythonResult result = python.run(PythonJob.of(code));
    assertTrue(result.succeeded(), result::toString);
    assertEquals(expected, result.valueJson(), code);
  }

  private static void assertError(String expected, PythonExecutor python, String code)
      throws InterruptedException {
    PythonResult result = python.run(PythonJob.of(code));
    assertTrue(!result.succeeded(), result::toString);
    String error = result.error().type() + ": " + result.error().message();
    assertTrue(error.contains(expected), error);
  }

  /** Static data of a module and of the library it needs are as new in each job. */
  @Test
  void aNeededLibraryKeepsItsStateForAJob() throws Exception {
    String code = "import _usedep\n[_usedep.f(1), _usedep.f(1)]";
    try (PythonExecutor python = builder().build()) {
      assertValue("[611,711]", python, code);
      assertValue("[611,711]", python, code);
    }
    try (PythonExecutor python = builder().preload("_usedep").build()) {
      assertValue("[611,711]", python, code);
      assertValue("[611,711]", python, code);
    }
    try (PythonExecutor python = builder().recycleAfter(5).build()) {
      assertValue("[611,711]", python, code);
      assertValue("[811,911]", python, code);
    }
  }

  /** Buffers, a callback through qsort, function pointers in static data, a constructor. */
  @Test
  void callsGoBothWays() throws Exception {
    String code =
        """
        import _fastsum, array
        a = array.array("d", [3, 1, 2])
        [_fastsum.sum_buffer(a), _fastsum.median(a), _fastsum.apply_math(9.0), _fastsum.sum_iter(range(5)),
         _fastsum.calls(), _fastsum.ANSWER]
        """;
    for (String preload : List.of("math", "_fastsum")) {
      try (PythonExecutor python = builder().preload(preload).build()) {
        assertValue("[6.0,2.0,3.0,10.0,103,42]", python, code);
        assertValue("[6.0,2.0,3.0,10.0,103,42]", python, code);
        assertError(
            "TypeError: need a buffer of doubles",
            python,
            "import _fastsum\n_fastsum.sum_buffer(b'x')");
      }
    }
  }

  @Test
  void cppExceptionsRunDestructors() throws Exception {
    try (PythonExecutor python = builder().build()) {
      assertValue(
          "[42004,42010,42011]",
          python,
          "import _cxx\n[_cxx.thrower(3), _cxx.thrower(5), _cxx.thrower(0)]");
      assertError("ValueError: negative", python, "import _cxx\n_cxx.thrower(-2)");
    }
  }

  @Test
  void abi3TypesWork() throws Exception {
    try (PythonExecutor python = builder().preload("wordcount").build()) {
      assertValue(
          "[\"Counter\",\"count\"]",
          python,
          "import wordcount\n[n for n in dir(wordcount) if n[0] != '_']");
    }
  }

  @Test
  void ctypesFindsSymbols() throws Exception {
    String code =
        """
        import ctypes, _usedep, os
        site = os.path.dirname(_usedep.__file__)
        dep = ctypes.CDLL(site + "/usedep.libs/libdep.so")
        counter = ctypes.c_int.in_dll(dep, "dep_value")
        missing = None
        try: dep.nothing
        except AttributeError as error: missing = str(error)
        [dep.dep_add(10), dep.dep_add(10), counter.value, "nothing" in missing, ctypes.pythonapi.Py_IsInitialized()]
        """;
    try (PythonExecutor python = builder().build()) {
      assertValue("[15,16,11,true,1]", python, code);
      assertValue("[15,16,11,true,1]", python, code);
    }
  }

  /** C calls Python by way of functions that ctypes makes: every type there and back. */
  @Test
  void ctypesCallbacks() throws Exception {
    String code =
        """
        import ctypes as c
        libc = c.CDLL(None)
        def sort(values):
            compare = c.CFUNCTYPE(c.c_int, c.POINTER(c.c_int), c.POINTER(c.c_int))(lambda a, b: a[0] - b[0])
            array = (c.c_int * len(values))(*values)
            libc.qsort(array, len(values), c.sizeof(c.c_int), compare)
            return list(array)
        def same(type, value):
            return c.CFUNCTYPE(type, type)(lambda given: given)(value)
        class Point(c.Structure):
            _fields_ = [("x", c.c_int), ("y", c.c_double)]
        class One(c.Structure):
            _fields_ = [("only", c.c_short)]
        seen = []
        take = c.CFUNCTYPE(None, Point, One, c.c_byte, c.c_float, c.c_longlong)(
            lambda p, o, b, f, l: seen.append([p.x, p.y, o.only, b, f, l]))
        take(Point(1, 2.5), One(-3), -4, 0.5, 1 << 40)
        def fails(): raise ValueError("in a callback")
        import sys, io
        sys.unraisablehook = lambda info: seen.append(str(info.exc_value))
        c.CFUNCTYPE(c.c_int)(fails)()
        nested = c.CFUNCTYPE(c.c_int, c.c_int)(lambda n: n and n + nested(n - 1))
        many = c.CFUNCTYPE(c.c_double, *[c.c_double] * 300)(lambda *a: sum(a))
        [sort([3, -1, 2]), same(c.c_ubyte, 200), same(c.c_short, -7), same(c.c_uint, 4000000000), same(c.c_float, 1.5),
         same(c.c_double, -0.1), same(c.c_ulonglong, 2**64 - 1), same(c.c_char_p, b"text").decode(), same(c.c_bool, True),
         seen, nested(50), many(*range(300))]
        """;
    String expected =
        "[[-1,2,3],200,-7,4000000000,1.5,-0.1,18446744073709551615,\"text\",true,"
            + "[[1,2.5,-3,-4,0.5,1099511627776],\"in a callback\"],1275,44850.0]";
    for (String preload : List.of("math", "ctypes")) {
      try (PythonExecutor python = builder().preload(preload).build()) {
        assertValue(expected, python, code);
        assertValue(expected, python, code);
      }
    }
  }

  /** Callbacks of a preloaded module are part of the image; those of a job go with it. */
  @Test
  void callbacksAreKeptInImages(@TempDir Path wheels) throws Exception {
    TestWheel.of("calling", "1")
        .file(
            "calling.py",
            "import ctypes\nstate = [0]\n"
                + "def count(n):\n    state[0] += n\n    return state[0]\n"
                + "call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(count)\n")
        .writeTo(wheels);
    for (int start = 0; start < 2; start++) { // with an image made anew, and with one from disk
      try (PythonExecutor python =
          PythonExecutor.builder()
              .workers(1)
              .wheelCache(wheels)
              .preload("calling")
              .cache(cache)
              .build()) {
        for (int i = 0; i < 3; i++) {
          assertValue(
              "[5,12]",
              python,
              "import calling, ctypes\n"
                  + "mine = [ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 7) for _ in range(100)]\n"
                  + "[calling.call(5), calling.call(mine[99]())]");
        }
      }
    }
  }

  /** What a job writes is no library, under whatever name and wherever. */
  @Test
  void jobsCannotBringLibrariesOfTheirOwn() throws Exception {
    try (PythonExecutor python = builder().build()) {
      assertError(
          "only libraries of the wheel cache can be loaded",
          python,
          """
          import _usedep, ctypes, shutil
          shutil.copy(_usedep.__file__, "/tmp/copy.so")
          ctypes.CDLL("/tmp/copy.so")
          """);
      assertError(
          "only libraries of the wheel cache can be loaded",
          python,
          """
          import importlib.util
          path = importlib.util.find_spec("_fastsum").origin
          with open(path, "r+b") as file:
              file.seek(100)
              file.write(b"evil")
          import _fastsum
          """);
      assertError("No such file", python, "import ctypes\nctypes.CDLL('/lib/nothing.so')");
      assertValue("42", python, "import _fastsum\n_fastsum.ANSWER");
    }
  }

  /** Classes are compiled once and kept; damaged ones are made anew. */
  @Test
  void compiledClassesAreKept() throws Exception {
    String code = "import _fastsum\n_fastsum.ANSWER";
    try (PythonExecutor python = builder().build()) {
      assertValue("42", python, code);
    }
    List<Path> compiled;
    try (var files = Files.walk(cache)) {
      compiled = files.filter(file -> file.toString().endsWith(".zip")).toList();
    }
    assertEquals(5, compiled.size(), compiled::toString);
    for (Path file : compiled) {
      Files.write(file, new byte[] {1, 2, 3});
    }
    try (PythonExecutor python = builder().build()) {
      assertValue("42", python, code);
    }
  }

  /** Opens everything again, closes it, and looks up what nobody has asked for before. */
  @Test
  void loadingAndLookingUpLeavesNothingBehind() throws Exception {
    String messy =
        """
        import ctypes, _usedep, os, sys, _ctypes
        site = os.path.dirname(_usedep.__file__)
        for round in range(20):
            for path in ("/usedep.libs/libdep.so", "/" + os.path.basename(_usedep.__file__)):
                handle = _ctypes.dlopen(site + path, ctypes.RTLD_GLOBAL)
                try: _ctypes.dlsym(handle, "dep_add")
                except OSError: pass
                _ctypes.dlclose(handle)
        library = ctypes.CDLL(site + "/usedep.libs/libdep.so")
        [library.dep_add(1), library.dep_add(1), ctypes.pythonapi.PyLong_FromLong is not None]
        """;
    for (String preload : List.of("math", "_usedep", "_fastsum")) {
      try (PythonExecutor python = builder().preload(preload).build()) {
        for (int i = 0; i < 3; i++) {
          assertValue("[6,7,true]", python, messy);
          assertValue("[611,711]", python, "import _usedep\n[_usedep.f(1), _usedep.f(1)]");
        }
      }
    }
  }

  /** What nobody has is named when wheels are checked, not only when a job needs it. */
  @Test
  void missingSymbolsAndLibrariesAreNamed(@TempDir Path lacking, @TempDir Path own)
      throws Exception {
    assertTrue(WheelCache.of(List.of(folder)).withCache(cache).check().sound());
    repack("usedep", lacking, bytes -> bytes);
    repack("fastsum", lacking, bytes -> bytes.replace("qsort", "qzort"));
    List<String> problems =
        WheelCache.of(List.of(lacking)).withCache(own).check().wheels().stream()
            .map(WheelReport.Entry::problem)
            .toList();
    assertEquals(
        List.of(
            "_fastsum.cpython-313-wasm32-emscripten.so needs 'qzort', which neither Python nor a"
                + " library here has; use a build for this Pyodide, or add the library",
            "_usedep.cpython-313-wasm32-emscripten.so needs 'libdep.so', 'dep_add', 'dep_value',"
                + " which neither Python nor a library here has; use a build for this Pyodide, or"
                + " add the library"),
        problems);
  }

  /** A wheel with nothing but the changed extension module of one of ours. */
  private static void repack(String name, Path target, UnaryOperator<String> change)
      throws IOException {
    String file = "_" + name + ".cpython-313-wasm32-emscripten.so";
    String tag = "cp313-cp313-pyodide_2025_0_wasm32";
    try (ZipFile wheel = new ZipFile(WHEELS.resolve(name + "-0.1.0-" + tag + ".whl").toFile());
        InputStream in = wheel.getInputStream(wheel.getEntry(file))) {
      String module = new String(in.readAllBytes(), ISO_8859_1);
      TestWheel.of(name, "0.1.0")
          .tag(tag)
          .file(file, change.apply(module).getBytes(ISO_8859_1))
          .writeTo(target);
    }
  }
}
