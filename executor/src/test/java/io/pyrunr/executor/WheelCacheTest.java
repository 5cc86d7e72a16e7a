package io.pyrunr.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Wheels in a folder, as jobs see them. */
class WheelCacheTest {
  @TempDir Path folder;
  @TempDir Path cache;

  private PythonExecutor.Builder builder() {
    return PythonExecutor.builder().wheelCache(folder).cache(cache);
  }

  private static Object value(PythonExecutor python, String code) throws InterruptedException {
    return value(python, PythonJob.of(code));
  }

  private static Object value(PythonExecutor python, PythonJob job) throws InterruptedException {
    PythonResult result = python.run(job);
    assertTrue(result.succeeded(), result::toString);
    return result.value();
  }

  private static String error(PythonExecutor python, PythonJob job) throws InterruptedException {
    PythonResult result = python.run(job);
    assertTrue(!result.succeeded(), result::toString);
    return result.error().type() + ": " + result.error().message();
  }

  @Test
  void packagesDataFilesAndMetadataAreFound() throws Exception {
    TestWheel.of("Snack_Bar", "1.0")
        .file("snack_bar/__init__.py", "from .menu import price\n")
        .file("snack_bar/menu.py", "def price(): return 3\n")
        .file("snack_bar/data.txt", "salt")
        .file("snack_bar/broken.py", "this is no Python")
        .file("Snack_Bar-1.0.data/purelib/beside.py", "x = 4\n")
        .file("Snack_Bar-1.0.data/scripts/run", "#!python\n")
        .writeTo(folder);
    String code =
        """
        import snack_bar, beside, importlib.metadata, importlib.resources, os
        [snack_bar.price(), beside.x, importlib.metadata.version("snack-bar"),
         importlib.resources.files("snack_bar").joinpath("data.txt").read_text(),
         len(importlib.metadata.files("snack-bar")),
         os.path.exists(beside.__cached__), os.path.exists("/lib/python3.13/site-packages/run")]
        """;
    try (PythonExecutor python = builder().preload("snack_bar").build()) {
      assertEquals(List.of(3, 4, "1.0", "salt", 7, true, false), value(python, code));
      assertEquals(true, value(python, "import sys\n'snack_bar' in sys.modules"));
      // A job may overwrite what it sees; the next one sees what was there before.
      String evil = "import beside\nopen(beside.__file__, 'w').write('evil')";
      assertEquals(4, value(python, evil));
      assertEquals("x = 4\n", value(python, "import beside\nopen(beside.__file__).read()"));
      assertTrue(error(python, PythonJob.of("import snack_bar.broken")).startsWith("SyntaxError"));
      assertEquals(3, value(python, "import snack_bar.menu as m\nm.price()"));
    }
    try (var kept = Files.list(cache.resolve("images"))) {
      assertEquals(1, kept.count());
    }
    try (var dropped = Files.list(folder)) {
      assertEquals(1, dropped.count(), "a folder of wheels is only read");
    }
  }

  @Test
  void aBadWheelDoesNotStopTheOthers() throws Exception {
    TestWheel.simple("good", "1.0").writeTo(folder);
    Files.writeString(folder.resolve("a-1-py3-none-any.whl"), "no zip");
    try (PythonExecutor python = builder().build()) {
      assertEquals("1.0", value(python, "import good\ngood.__version__"));
      assertTrue(error(python, PythonJob.of("import a")).startsWith("ModuleNotFoundError"));
    }
    var missing = PythonExecutor.builder().wheelCache(folder.resolve("missing"));
    assertTrue(
        assertThrows(IllegalArgumentException.class, missing::build)
            .getMessage()
            .contains("cannot be read"));
  }

  /** Two teams' packages in one folder: each job sees what it requires. */
  @Test
  void requires() throws Exception {
    TestWheel.simple("dep", "1.0").writeTo(folder);
    TestWheel.simple("dep", "2.0").writeTo(folder);
    TestWheel.of("app", "1.0")
        .requires("dep<2; extra == 'old'")
        .header("Provides-Extra: old")
        .file("space/app/__init__.py", "")
        .writeTo(folder);
    TestWheel.of("tool", "1.0")
        .requires("dep")
        .file("space/tool/__init__.py", "import dep\n")
        .writeTo(folder);
    String see =
        """
        import importlib, importlib.metadata, sys
        def get(name):
            try:
                return getattr(importlib.import_module(name), "__version__", "yes")
            except ImportError:
                return None
        [[get(n) for n in ("dep", "space.app", "space.tool")],
         sorted(d.name for d in importlib.metadata.distributions())]
        """;
    PythonJob job = PythonJob.of(see);
    try (PythonExecutor python = builder().preload("dep", "space.tool").recycleAfter(100).build()) {
      assertEquals("2.0", ((List<?>) ((List<?>) value(python, job)).get(0)).get(0));
      assertEquals(
          List.of(Arrays.asList(null, "yes", null), List.of("app")),
          value(python, job.withRequires(List.of("app"))));
      assertEquals(
          List.of(Arrays.asList("1.0", "yes", null), List.of("app", "dep")),
          value(python, job.withRequires(List.of("app[old]"))));
      assertEquals(
          List.of(Arrays.asList("2.0", null, "yes"), List.of("dep", "tool")),
          value(python, job.withRequires(List.of("tool"))));
      assertEquals(
          List.of(Arrays.asList("1.0", "yes", "yes"), List.of("app", "dep", "tool")),
          value(python, job.withRequires(List.of("tool", "app[old]"))));
      assertEquals(
          List.of(Arrays.asList(null, null, null), List.of()),
          value(python, job.withRequires(List.of())));
      assertEquals("2.0", ((List<?>) ((List<?>) value(python, job)).get(0)).get(0));
      assertEquals(
          "RequirementError: requires: the job needs gone>=1, of which there is no wheel in the"
              + " wheel cache",
          error(python, job.withRequires(List.of("gone>=1"))));
      assertEquals(
          "RequirementError: requires: the job needs dep>5, the wheel cache has 2.0, 1.0",
          error(python, job.withRequires(List.of("dep>5"))));
      assertTrue(error(python, job.withRequires(List.of("a b"))).contains("'a b'"));
      assertEquals(
          "RequirementError: requires: dep @ http://localhost/dep.whl: nothing is downloaded here;"
              + " drop the wheel in the wheel cache",
          error(python, job.withRequires(List.of("dep @ http://localhost/dep.whl"))));
      assertEquals(2, value(python, "1 + 1"));
    }
  }

  /** In whatever order they come, and whether a condition is the job's or a package's. */
  @ParameterizedTest
  @ValueSource(
      strings = {"old,new", "new,old", "old,dep>=2", "dep>=2,old", "new,dep<2", "dep<2,dep>=2"})
  void requirementsThatContradictEachOther(String requires) throws Exception {
    TestWheel.simple("dep", "1.0").writeTo(folder);
    TestWheel.simple("dep", "2.0").writeTo(folder);
    TestWheel.simple("old", "1.0").requires("dep<2").writeTo(folder);
    TestWheel.simple("new", "1.0").requires("dep>=2").writeTo(folder);
    PythonJob job = PythonJob.of("1").withRequires(List.of(requires.split(",")));
    try (PythonExecutor python = builder().build()) {
      String error = error(python, job);
      assertTrue(error.startsWith("RequirementError: requires: "), error);
      assertTrue(error.endsWith(" is in use"), error);
    }
  }

  /** Each asks for other extras, most of which do not exist: what counts is looked at once. */
  @Test
  void requirementsAreResolvedInTime() throws Exception {
    TestWheel big = TestWheel.simple("big", "1.0");
    List<String> optional = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      optional.add("dep" + i + "; extra == 'e" + i + "'");
      big.header("Provides-Extra: e" + i);
      TestWheel.simple("dep" + i, "1.0").writeTo(folder);
    }
    big.requires(optional.toArray(String[]::new)).writeTo(folder);
    List<String> requires = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      int from = i;
      requires.add(
          IntStream.range(0, 40)
              .mapToObj(n -> (n < 20 ? "e" : "x") + (from + n) % 50)
              .collect(Collectors.joining(",", "big[", "]")));
    }
    try (PythonExecutor python = builder().build()) {
      PythonJob job = PythonJob.of("1").withRequires(requires);
      assertTrue(error(python, job).contains("has no extra"));
      assertTrue(python.run(job).duration().toSeconds() < 20);
      job = PythonJob.of("import dep49\n2").withRequires(List.of("big[e49]", "big[e48]"));
      assertEquals(2, python.run(job).value());
    }
  }

  /** README says that it may be deleted at any time. */
  @Test
  void whatIsUnpackedMayBeDeletedWhileItIsInUse() throws Exception {
    TestWheel.simple("early", "1.0").writeTo(folder);
    TestWheel.simple("late", "2.0").writeTo(folder);
    try (PythonExecutor python = builder().build()) {
      assertEquals("1.0", value(python, "import early\nearly.__version__"));
      try (Stream<Path> files = Files.walk(cache)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
      assertEquals("2.0", value(python, "import late\nlate.__version__"));
      TestWheel.simple("new", "3.0").writeTo(folder);
      try (PythonExecutor next = builder().build()) {
        assertEquals("3.0", value(next, "import new\nnew.__version__"));
      }
      assertEquals("rwx------", rights(cache));
    }
  }

  private static String rights(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  /**
   * The service may be another user than the one who looks after the folder of wheels. What it runs
   * as code is its own.
   */
  @Test
  void othersMayReadTheLockAndNotTheCache() throws Exception {
    TestWheel.simple("good", "1.0").writeTo(folder);
    WheelCache wheels = WheelCache.of(List.of(folder)).withCache(cache.resolve("new"));
    assertEquals(rights(Files.createFile(folder.resolve("usual"))), rights(wheels.lock()));
    assertTrue(wheels.check().sound());
    assertTrue(wheels.cacheBytes() > 500, () -> wheels.cacheBytes() + " bytes");
    for (String each : List.of("new", "new/wheels", "new/classes", "new/images")) {
      assertEquals("rwx------", rights(cache.resolve(each)), each);
    }
  }

  @Test
  void aCacheThatOthersCanWriteToIsRefused() throws Exception {
    Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));
    try (PythonExecutor python = builder().build()) { // without wheels nothing is asked of it
      assertEquals(2, value(python, "1 + 1"));
    }
    TestWheel.simple("good", "1.0").writeTo(folder);
    WheelCache wheels = WheelCache.of(List.of(folder)).withCache(cache);
    for (Executable use : List.<Executable>of(() -> builder().build(), wheels::list)) {
      String message = assertThrows(IllegalArgumentException.class, use).getMessage();
      assertTrue(
          message.startsWith("others can write to the cache " + cache.toRealPath()), message);
    }
  }

  @Test
  void withoutWheelsTheCacheIsNotTouched() throws Exception {
    Path untouched = cache.resolve("none");
    try (PythonExecutor python = builder().cache(untouched).preload("json").build()) {
      assertEquals(2, value(python, "1 + 1"));
    }
    assertTrue(Files.notExists(untouched));
  }

  @Test
  void micropipInstallsFromTheCacheOnly() throws Exception {
    TestWheel.simple("dep", "1.0").writeTo(folder);
    TestWheel.simple("dep", "2.0").writeTo(folder);
    TestWheel.simple("lib", "1.0").requires("dep>=1.5", "gone; extra == 'x'").writeTo(folder);
    TestWheel.simple("half", "1.0").requires("lost>=3").writeTo(folder);
    try (PythonExecutor python = builder().build()) {
      assertEquals(
          List.of("1.0", "2.0", List.of("dep", "half", "lib")),
          value(
              python,
              """
              import micropip
              await micropip.install("lib >= 1")
              import lib, dep
              [lib.__version__, dep.__version__, list(micropip.list())]
              """));
      assertEquals(
          List.of("1.0", "1.0"),
          value(
              python,
              """
              import micropip, importlib.metadata
              await micropip.install(["dep==1.0"])
              import dep
              [dep.__version__, importlib.metadata.version("dep")]
              """));
      assertEquals(
          "ValueError: micropip.install needs nothere, of which there is no wheel in the wheel"
              + " cache",
          error(python, micropip("nothere")));
      assertEquals(
          "ValueError: half 1.0 needs lost>=3, of which there is no wheel in the wheel cache",
          error(python, micropip("half")));
      assertEquals(
          "ValueError: micropip.install needs dep>=3, the wheel cache has 2.0, 1.0",
          error(python, micropip("dep>=3")));
      assertTrue(
          error(python, micropip("https://example.org/x-1-py3-none-any.whl"))
              .contains("nothing is downloaded here"));
      assertTrue(error(python, micropip("x @ http://a/b.whl")).contains("nothing is downloaded"));
      assertTrue(error(python, micropip("lib[x]")).contains("no extra 'x'"));
      assertTrue(error(python, micropip("file:///tmp/none.whl")).contains("there is no file"));
      assertTrue(error(python, micropip("a b c")).contains("'a b c'"));
      assertTrue(
          error(python, PythonJob.of("import dep, micropip\nawait micropip.install('dep==1.0')"))
              .contains("already imported"));
      assertEquals(
          2,
          value(
              python,
              """
              import micropip
              try:
                  await micropip.install(["nothere", "northere"], keep_going=True)
              except ValueError as error:
                  lines = len(str(error).splitlines())
              await micropip.install("half", deps=False)
              import half
              lines
              """));
      // Hidden by what the job requires, visible again for this job only.
      PythonJob hidden =
          PythonJob.of(
                  """
                  import micropip
                  try:
                      import lib
                      seen = True
                  except ImportError:
                      seen = False
                  before = list(micropip.list())
                  await micropip.install("lib")
                  import lib
                  [seen, before, list(micropip.list())]
                  """)
              .withRequires(List.of("dep"));
      assertEquals(List.of(false, List.of("dep"), List.of("dep", "lib")), value(python, hidden));
      assertEquals(
          List.of(false, false, true, true),
          value(
              python,
              """
              import micropip, json, warnings, importlib.util
              micropip.uninstall("lib")
              with warnings.catch_warnings(record=True) as caught:
                  warnings.simplefilter("always")
                  micropip.uninstall("nothere")
              [importlib.util.find_spec("lib") is not None, "lib" in json.loads(micropip.freeze())["packages"],
               importlib.util.find_spec("dep") is not None, "not installed" in str(caught[0].message)]
              """));
      assertTrue(error(python, PythonJob.of("import pyodide_js")).contains("JavaScript"));
    }
  }

  private static PythonJob micropip(String requirement) {
    return PythonJob.of("import micropip\nawait micropip.install(params)").withParams(requirement);
  }

  @Test
  void micropipInstallsWheelsOfTheJob() throws Exception {
    TestWheel.simple("dep", "1.0").writeTo(folder);
    TestWheel mine =
        TestWheel.simple("mine", "1.0").requires("dep").file("mine-1.0.data/purelib/pure.py", "");
    TestWheel foreign = TestWheel.simple("far", "1.0").tag("cp312-cp312-linux_x86_64");
    TestWheel lost = TestWheel.simple("lost", "1.0").requires("gone");
    TestWheel changed = TestWheel.simple("odd", "1.0").record("odd.py,sha256=AAAA,1\n");
    var encoder = Base64.getEncoder();
    Map<String, String> wheels = new HashMap<>();
    for (TestWheel wheel : List.of(mine, foreign, lost, changed)) {
      wheels.put(wheel.fileName(), encoder.encodeToString(wheel.bytes()));
    }
    wheels.put("text-1-py3-none-any.whl", encoder.encodeToString(new byte[10]));
    String code =
        """
        import base64, micropip
        for name, data in params.items():
            open("/tmp/" + name, "wb").write(base64.b64decode(data))
        async def attempt(address):
            try:
                await micropip.install(address)
            except ValueError as error:
                return str(error)
        results = [await attempt(a) for a in (
            "file:///tmp/far-1.0-cp312-cp312-linux_x86_64.whl", "emfs:/tmp/lost-1.0-py3-none-any.whl",
            "emfs:/tmp/odd-1.0-py3-none-any.whl", "file:///tmp/text-1-py3-none-any.whl",
            "emfs:/tmp/mine-1.0-py3-none-any.whl")]
        import mine, pure, importlib.metadata
        results + [mine.__version__, importlib.metadata.version("mine"), list(micropip.list())]
        """;
    try (PythonExecutor python = builder().build()) {
      List<?> results = (List<?>) value(python, PythonJob.of(code).withParams(wheels));
      assertTrue(results.get(0).toString().contains("built for Linux"), results::toString);
      assertTrue(results.get(1).toString().contains("needs gone"), results::toString);
      assertTrue(results.get(2).toString().contains("RECORD"), results::toString);
      assertTrue(results.get(3).toString().contains("is not a wheel"), results::toString);
      assertEquals(null, results.get(4));
      assertEquals(List.of("1.0", "1.0", List.of("dep", "mine")), results.subList(5, 8));
    }
  }

  /** The resolver's device takes anything from a hostile job and goes on. */
  @Test
  void theDeviceTakesAnything() throws Exception {
    TestWheel.simple("dep", "1.0").writeTo(folder);
    String code =
        """
        import os
        def ask(data):
            device = os.open("/dev/pyrunr-wheels", os.O_RDWR)
            while data:
                data = data[os.write(device, data):]
            answer = b""
            while part := os.read(device, 1000):
                answer += part
            os.close(device)
            return answer.decode()
        junk = [b"", b"\\n", b"[]\\n", b"null\\n", b"{\\n", b'{"op":1}\\n', b"\\xff\\xfe\\n", b"[" * 5000 + b"\\n",
                b"x" * 9_000_000 + b"\\n", b'{"op":"install","requirements":[{}],"local":[[]],"present":{"a":"b"}}\\n',
                b'{"op":"install","requirements":"dep"}\\n', b'{"op":"view","folders":{"a":1}}\\n']
        answers = [ask(j) for j in junk]
        os.write(os.open("/dev/pyrunr-wheels", os.O_WRONLY), b'{"op":"environment"}')
        len(answers)
        """;
    try (PythonExecutor python = builder().build()) {
      assertEquals(12, value(python, code));
      // What the job before left half said is forgotten.
      assertEquals(List.of("dep"), value(python, "import micropip\nlist(micropip.list())"));
    }
  }

  @Test
  void wheelsThatComeAndGoAreNoticed() throws Exception {
    TestWheel.simple("first", "1.0").writeTo(folder);
    try (PythonExecutor python = builder().watch(true).recycleAfter(1).build()) {
      assertEquals(List.of("first"), names(python));
      long jobs = python.statistics().jobs();
      var running =
          python.submit(
              PythonJob.of("import time\ntime.sleep(1)\nimport micropip\nlist(micropip.list())"));
      Files.writeString(folder.resolve("broken-1-py3-none-any.whl"), "half of a whe");
      TestWheel.simple("second", "1.0").writeTo(folder);
      assertEquals(List.of("first"), running.get().value());
      await(python, List.of("first", "second"));
      Path part = folder.resolve("second.part");
      Files.write(part, TestWheel.simple("second", "2.0").bytes());
      Files.move(
          part, folder.resolve("second-2.0-py3-none-any.whl"), StandardCopyOption.ATOMIC_MOVE);
      Files.delete(folder.resolve("first-1.0-py3-none-any.whl"));
      await(python, List.of("second"));
      assertEquals("2.0", value(python, "import second\nsecond.__version__"));
      assertTrue(python.statistics().jobs() > jobs + 3);
    }
  }

  /** Compiling a large package takes minutes; nobody waits for it once nobody wants it. */
  @Test
  void closingDoesNotWaitForWheelsToBeCompiled() throws Exception {
    TestWheel large = TestWheel.of("large", "1.0");
    String function = "def f%d(a, b=1):\n    return [x * a + b for x in range(10) if x %% 2]\n";
    for (int i = 0; i < 40; i++) {
      StringBuilder module = new StringBuilder();
      for (int n = 0; n < 3000; n++) {
        module.append(function.formatted(n));
      }
      large.file("large/m" + i + ".py", module.toString());
    }
    large.writeTo(folder);
    builder().build().close();
    try (var kept = Files.list(cache.resolve("wheels"))) {
      assertEquals(0, kept.filter(file -> file.toString().endsWith(".bytecode")).count());
    }
  }

  private static Object names(PythonExecutor python) throws InterruptedException {
    return value(python, "import micropip\nlist(micropip.list())");
  }

  private static void await(PythonExecutor python, Object expected) throws InterruptedException {
    long end = System.nanoTime() + 120_000_000_000L;
    while (!names(python).equals(expected)) {
      assertTrue(System.nanoTime() < end, "the change of wheels was not noticed");
      Thread.sleep(200);
    }
  }
}
