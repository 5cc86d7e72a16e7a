package io.pyrunr.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.pyrunr.dist.PyodideDistribution;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a job is told of a module that is not there, and that only who reads it pays for it. */
class MissingModuleTest {
  private static PythonExecutor python;

  @BeforeAll
  static void start() {
    python = PythonExecutor.builder().workers(1).build();
  }

  @AfterAll
  static void stop() {
    python.close();
  }

  private static Object value(PythonJob job) throws InterruptedException {
    PythonResult result = python.run(job);
    assertTrue(result.succeeded(), result::toString);
    return result.value();
  }

  private static String message(PythonExecutor executor, PythonJob job)
      throws InterruptedException {
    PythonError error = executor.run(job).error();
    assertEquals("ModuleNotFoundError", error.type(), error::toString);
    return error.message();
  }

  private static String message(String code) throws InterruptedException {
    return message(python, PythonJob.of(code));
  }

  /** Module by module of all that Pyodide builds, as its lock file has them. */
  @Test
  void whatPyodideBuildsNamesTheCommandThatAddsIt() throws Exception {
    Map<String, String> packages = new TreeMap<>();
    JsonNode lock = new ObjectMapper().readTree(PyodideDistribution.bundled().lockFile());
    for (JsonNode each : lock.path("packages")) {
      each.path("imports")
          .forEach(
              module ->
                  packages.put(
                      module.asText(),
                      each.path("name")
                          .asText()
                          .toLowerCase(Locale.ROOT)
                          .replaceAll("[-_.]+", "-")));
    }
    packages.remove("micropip"); // ours is always there
    assertTrue(packages.size() > 300);
    PythonJob job =
        PythonJob.of(
                """
                wrong = []
                for module, package in params.items():
                    try:
                        __import__(module)
                    except ModuleNotFoundError as error:
                        if f"'pyrunr wheels add {package}' adds it" in str(error) and error.name == module:
                            continue
                        wrong.append(str(error))
                    else:
                        wrong.append(module)
                wrong
                """)
            .withParams(packages);
    assertEquals(List.of(), value(job));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "sqlite3 | sqlite3 | `it is a part of the standard library that Pyodide keeps in a wheel,"
            + " sqlite3, which is not in the wheel cache; 'pyrunr wheels add sqlite3' adds it`",
        "scipy.linalg | scipy | `it is in Pyodide's package scipy, which is not in the wheel cache;"
            + " 'pyrunr wheels add scipy' adds it`",
        "pkg_resources | pkg_resources | `it is in Pyodide's package setuptools, which is not in"
            + " the wheel cache; 'pyrunr wheels add setuptools' adds it`",
        "dbm.gnu | dbm | `Pyodide leaves it out of the standard library; sqlite3 does what it is"
            + " for ('pyrunr wheels add sqlite3' adds it)`",
        "curses | curses | Pyodide's standard library is without it",
        "pyodide.http | pyodide.http | `it fetches with the browser's JavaScript, and jobs have no"
            + " network; give them the data as params`",
        "pyodide.console | pyodide.console | `it is a part of Pyodide that needs JavaScript, and"
            + " this Python runs in a JVM, without JavaScript; of pyodide there are code and ffi`",
        "js.console | js | `it is the browser's JavaScript objects, and this Python runs in a JVM,"
            + " without JavaScript`",
      })
  void hints(String module, String missing, String hint) throws InterruptedException {
    assertEquals("No module named '" + missing + "': " + hint.strip(), message("import " + module));
  }

  @Test
  void whatNobodyKnowsIsAsPythonSaysIt() throws InterruptedException {
    assertEquals("No module named 'nosuch'", message("import nosuch"));
    assertEquals("No module named 'xml.nosuch'", message("import xml.nosuch"));
    assertEquals("No module named 'math.x'; 'math' is not a package", message("import math.x"));
  }

  /** Programs compare the message, and print the traceback. */
  @Test
  void exceptionsAreAsPythonMakesThem() throws InterruptedException {
    String code =
        """
        import traceback, pickle, copy
        try:
            import scipy.linalg
        except ImportError as error:
            again = pickle.loads(pickle.dumps(error))
            found = [type(error).__name__, error.msg, error.name, error.path, repr(error), error.args,
                     error.__context__, error.msg == "No module named 'scipy'", str(again) == str(error),
                     str(copy.copy(error)) == str(error), traceback.format_exc()]
        found
        """;
    assertEquals(
        List.of(
            "ModuleNotFoundError",
            "No module named 'scipy'",
            "scipy",
            "ModuleNotFoundError(\"No module named 'scipy'\")",
            List.of("No module named 'scipy'"),
            true,
            true,
            true,
            """
            Traceback (most recent call last):
              File "<job>", line 3, in <module>
                import scipy.linalg
            ModuleNotFoundError: No module named 'scipy': it is in Pyodide's package scipy, which is \
            not in the wheel cache; 'pyrunr wheels add scipy' adds it
            """),
        ((List<?>) value(PythonJob.of(code))).stream().filter(each -> each != null).toList());
  }

  /** Only an import fails; and whoever adds a finder, in front or behind, is asked. */
  @Test
  void searchesForModulesAreNotDisturbed() throws InterruptedException {
    String code =
        """
        import importlib.util, importlib.machinery, pkgutil, sys, types
        class Finder:
            @staticmethod
            def find_spec(name, path=None, target=None):
                if name in ("scipy", "js"):
                    return importlib.machinery.ModuleSpec(name, Finder)
            @staticmethod
            def create_module(spec): return None
            @staticmethod
            def exec_module(module): module.answer = 42
        before = [importlib.util.find_spec(name) for name in ("scipy", "js", "sqlite3", "nosuch", "pyodide.http")]
        sys.meta_path.append(Finder)
        import js, scipy
        [before, js.answer, scipy.answer]
        """;
    assertEquals("[[null,null,null,null,null],42,42]", python.run(PythonJob.of(code)).valueJson());
  }

  /** A job without means to ask has Python's own message. */
  @Test
  void nothingToAskWith() throws InterruptedException {
    String code =
        """
        import os
        try:
            while True: os.open("/dev/null", os.O_RDONLY)
        except OSError:
            pass
        import scipy
        """;
    assertEquals("No module named 'scipy'", message(code));
  }

  @Test
  void everyBuiltInModuleCanBeImported() throws InterruptedException {
    String code = "import sys\n[name for name in sys.builtin_module_names if not __import__(name)]";
    assertEquals(List.of(), value(PythonJob.of(code)));
    assertTrue(message("import _pyodide_core").contains("_pyodide_core"));
  }

  @Test
  void zonesWithoutData() throws InterruptedException {
    PythonError error =
        python.run(PythonJob.of("import zoneinfo\nzoneinfo.ZoneInfo('UTC')")).error();
    assertEquals("ZoneInfoNotFoundError", error.type());
    assertEquals(
        "\"No time zone found with key UTC, for want of tzdata: it is in Pyodide's package tzdata,"
            + " which is not in the wheel cache; 'pyrunr wheels add tzdata' adds it\"",
        error.message());
    assertFalse(error.traceback().contains("loadPackage"), error.traceback());
  }

  @Test
  void whatIsThereAndNotSeenSaysWhy(@TempDir Path folder, @TempDir Path cache) throws Exception {
    TestWheel.simple("seen", "1.0").writeTo(folder);
    TestWheel.of("Un_Listed", "1.0").unrecorded("un_listed/__init__.py", "").writeTo(folder);
    TestWheel.of("scipy", "1.14.1").tag("cp312-cp312-win_amd64").writeTo(folder);
    try (PythonExecutor executor =
        PythonExecutor.builder().wheelCache(folder).cache(cache).build()) {
      assertEquals(
          "No module named 'un_listed': no wheel of it can be used: wheel"
              + " Un_Listed-1.0-py3-none-any.whl: 'un_listed/__init__.py' is not in RECORD;"
              + " get it anew from a source you trust",
          message(executor, PythonJob.of("import un_listed")));
      assertTrue(
          message(executor, PythonJob.of("import scipy"))
              .startsWith(
                  "No module named 'scipy': no wheel of it can be used: wheel"
                      + " scipy-1.14.1-cp312-cp312-win_amd64.whl: "));
      assertEquals(
          "No module named 'seen': seen 1.0 has it, which is not among what the job requires;"
              + " add it there",
          message(executor, PythonJob.of("import seen").withRequires(List.of())));
      PythonError error =
          executor.run(PythonJob.of("1").withRequires(List.of("un.listed"))).error();
      assertEquals(
          "requires: the job needs un-listed, of which no wheel can be used: wheel"
              + " Un_Listed-1.0-py3-none-any.whl: 'un_listed/__init__.py' is not in RECORD;"
              + " get it anew from a source you trust",
          error.message());
      error = executor.run(PythonJob.of("1").withRequires(List.of("pandas"))).error();
      assertEquals(
          "requires: the job needs pandas, of which there is no wheel in the wheel cache;"
              + " 'pyrunr wheels add pandas' adds it",
          error.message());
    }
  }

  /** A folder is watched; a wheel that is refused changes nothing else than what is said of it. */
  @Test
  void aWheelRefusedLaterIsToldToo(@TempDir Path folder, @TempDir Path cache) throws Exception {
    try (PythonExecutor executor =
        PythonExecutor.builder().wheelCache(folder).cache(cache).watch(true).build()) {
      assertEquals("No module named 'late'", message(executor, PythonJob.of("import late")));
      Files.writeString(folder.resolve("late-1.0-py3-none-any.whl"), "no zip archive");
      long end = System.nanoTime() + 60_000_000_000L;
      String message;
      do {
        Thread.sleep(200);
        message = message(executor, PythonJob.of("import late"));
      } while (message.equals("No module named 'late'") && System.nanoTime() < end);
      assertTrue(message.contains("wheel late-1.0-py3-none-any.whl: "), message);
    }
  }
}
