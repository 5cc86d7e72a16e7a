package io.pyrunr.executor;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever is wrong with files in a wheel cache is said in one line of plain words each, and harms
 * nobody: neither the wheels beside them nor who reads the line on a terminal.
 */
class HostileWheelsTest {
  /** What only the programmer of this would understand. */
  private static final Pattern JAVA =
      Pattern.compile(
          "\\b(java|javax|jdk|sun|com|org)\\.\\w+\\.|Exception|Throwable|(Memory|Overflow|Verify|Linkage)Error"
              + "|\\w\\(\\)|out of bounds|fallback|\\bat index\\b|\\bnull\\b|@[0-9a-f]{6}|\\p{Cntrl}");

  private static final Path NATIVE =
      Path.of("src/test/wheels/own/dist/fastsum-0.1.0-cp313-cp313-pyodide_2025_0_wasm32.whl");
  private static final String TAG = "cp313-cp313-pyodide_2025_0_wasm32";
  private static final String MODULE = "_fastsum.cpython-313-wasm32-emscripten.so";

  @TempDir Path folder;
  @TempDir Path cache;

  private WheelReport check() throws InterruptedException {
    return WheelCache.of(List.of(folder)).withCache(cache).check();
  }

  /** Every problem there is; the wheel "good" is not one. */
  private List<String> problems() throws IOException, InterruptedException {
    TestWheel.simple("good", "1.0").writeTo(folder);
    WheelReport report = check();
    List<String> problems = new ArrayList<>(report.problems());
    for (WheelReport.Entry wheel : report.wheels()) {
      if (wheel.problem() != null) {
        problems.add(wheel.problem());
      }
      problems.addAll(wheel.missing());
      assertTrue(wheel.sound() || !"good".equals(wheel.name()), wheel::toString);
    }
    for (String problem : problems) {
      assertFalse(JAVA.matcher(problem).find(), problem);
    }
    PythonExecutor.Builder builder = PythonExecutor.builder().wheelCache(folder).cache(cache);
    try (PythonExecutor python = builder.build()) {
      PythonResult result = python.run(PythonJob.of("import good\ngood.__version__"));
      assertEquals("1.0", result.value(), result::toString);
    }
    return problems;
  }

  @Test
  void headersThatAreNone() throws Exception {
    List<String> headers =
        List.of(
            "Requires-Dist: ",
            "Requires-Dist: x; python_version > '" + "9".repeat(5000) + "'",
            "Requires-Dist: x; " + "(".repeat(3000),
            "Requires-Dist: x[" + "a,".repeat(3000) + "]",
            "Requires-Dist: x\u001b[31m",
            "Requires-Dist: x===\u0000",
            "Requires-Dist: x==" + "1.".repeat(3000),
            "Requires-Python: >=" + "9".repeat(400),
            "Requires-Python: any",
            "Requires-Python: ~=1",
            "Version: 1!" + "0".repeat(2000),
            "Name: \ud83d\ude00",
            "Provides-Extra: " + "-".repeat(1000));
    for (int i = 0; i < headers.size(); i++) {
      TestWheel.simple("h" + i, "1.0").header(headers.get(i)).writeTo(folder);
    }
    assertTrue(problems().size() >= headers.size() - 3);
  }

  @Test
  void recordsThatAreNone() throws Exception {
    List<String> records =
        List.of(
            "\u0000",
            ",,",
            "\"",
            "r.py,sha256=" + "A".repeat(43) + ",99999999999999999999",
            "r.py,sha256=!,1",
            "r.py,sha256=,",
            "r.py,=,",
            "r.py,md5=AAAA,",
            "r.py,sha512=AAAA,-1",
            "a,b,c,d",
            ("r.py,sha256=AAAA,1\n").repeat(3),
            "x".repeat(100_000));
    for (int i = 0; i < records.size(); i++) {
      TestWheel.simple("r" + i, "1.0").record(records.get(i)).writeTo(folder);
    }
    assertEquals(records.size(), problems().size());
  }

  @Test
  void archivesWithChangedBytes() throws Exception {
    Random random = new Random(11);
    byte[] good = TestWheel.simple("z", "1.0").file("z/data.bin", new byte[3000]).bytes();
    int count = 150;
    for (int i = 0; i < count; i++) {
      byte[] bytes = TestWheel.simple("z" + i, "1.0").file("data.bin", good).bytes();
      for (int change = 0; change <= i % 4; change++) {
        // Where the directory and the headers are, mostly.
        int from = random.nextBoolean() ? 0 : Math.max(0, bytes.length - 400);
        bytes[from + random.nextInt(Math.min(400, bytes.length - from))] = (byte) random.nextInt();
      }
      Files.write(folder.resolve("z" + i + "-1.0-py3-none-any.whl"), bytes);
    }
    assertTrue(problems().size() > count / 2);
  }

  @Test
  void pinsThatAreNone() throws Exception {
    for (String text :
        List.of(
            "\u001b]0;title\u0007 x",
            "-\u001b[31m",
            "x @ file:///etc/passwd",
            "x " + "--hash=sha256:" + "0".repeat(64),
            "\\",
            "x==" + "9".repeat(10_000),
            "x; " + "(".repeat(10_000),
            "\u0000")) {
      for (String file : List.of("requirements.txt", "pyrunr.lock")) {
        Files.write(folder.resolve(file), text.getBytes(UTF_8));
      }
      problems();
    }
    Files.write(folder.resolve("pyrunr.lock"), "\u00e9".getBytes(ISO_8859_1));
    assertTrue(problems().get(0).contains("not UTF-8"));
  }

  /** Whatever the compiler makes of them, a wheel with one is told from the others. */
  @Test
  void sideModulesWithChangedBytes() throws Exception {
    byte[] module = module();
    Random random = new Random(7);
    int count = 60;
    for (int i = 0; i < count; i++) {
      byte[] changed = module.clone();
      for (int change = 0; change <= i % 3; change++) {
        changed[8 + random.nextInt(changed.length - 8)] = (byte) random.nextInt();
      }
      TestWheel.of("n" + i, "1.0").tag(TAG).file("n" + i + "/" + MODULE, changed).writeTo(folder);
    }
    assertTrue(problems().size() > count / 4);
  }

  private static byte[] module() throws IOException {
    try (ZipFile wheel = new ZipFile(NATIVE.toFile());
        InputStream in = wheel.getInputStream(wheel.getEntry(MODULE))) {
      return in.readAllBytes();
    }
  }
}
