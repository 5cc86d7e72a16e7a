package io.pyrunr.executor.internal.wheels;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.TestWheel;
import io.pyrunr.executor.internal.io.CacheHome;
import io.pyrunr.executor.internal.wheels.archive.WheelPlatform;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every way a wheel can be bad: it is named with the reason and the way out, and hurts no other.
 */
class BadWheelsTest {
  private static final String PLATFORM = "cp313-cp313-pyodide_2025_0_wasm32";
  private static final String GOOD_TITLE = "good 1.0";

  @TempDir Path folder;
  @TempDir Path cache;

  /** Makes the file and returns it. */
  interface Maker {
    Path in(Path folder) throws IOException;
  }

  record Case(String name, Maker maker, List<String> expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final List<Case> CASES = new ArrayList<>();

  private static void bad(String name, Maker maker, String... expected) {
    CASES.add(new Case(name, maker, List.of(expected)));
  }

  private static void tag(String tag, String... expected) {
    bad("tag " + tag, folder -> simple().tag(tag).writeTo(folder), expected);
  }

  private static void bytes(String name, Bytes change, String... expected) {
    bad(
        name,
        folder -> Files.write(folder.resolve(simple().fileName()), change.of(simple().bytes())),
        expected);
  }

  interface Bytes {
    byte[] of(byte[] wheel) throws IOException;
  }

  private static void wheel(String name, TestWheel wheel, String... expected) {
    bad(name, wheel::writeTo, expected);
  }

  private static void module(String name, String file, byte[] contents, String... expected) {
    wheel(name, simple().tag(PLATFORM).file(file, contents), expected);
  }

  private static TestWheel simple() {
    return TestWheel.simple("bad", "1.0");
  }

  static Stream<Case> cases() {
    CASES.clear();
    names();
    archives();
    contents();
    paths();
    nativeCode();
    return CASES.stream();
  }

  private static void names() {
    tag(
        "cp312-cp312-pyodide_2025_0_wasm32",
        "CPython 3.12",
        "this is CPython 3.13",
        "drop a cp313");
    tag("cp314-abi3-pyodide_2025_0_wasm32", "CPython 3.14");
    tag("py2-none-any", "Python 2");
    tag("cp313-cp313-manylinux_2_17_x86_64", "built for Linux", "pyodide_2025_0_wasm32");
    tag("cp313-cp313-win_amd64", "built for Windows");
    tag("cp313-cp313-macosx_11_0_arm64", "built for macOS");
    tag("cp313-cp313-pyodide_2024_0_wasm32", "pyodide_2024_0_wasm32", "pyodide_2025_0_wasm32");
    tag("cp313-cp313t-pyodide_2025_0_wasm32", "ABI cp313t");
    tag("pp311-pypy311_pp73-any", "another Python");
    renamed("bad.whl", "file name");
    renamed("b\u00e4d-1.0-py3-none-any.whl", "no name of a distribution");
    renamed("bad-one-py3-none-any.whl", "'one' is no version");
    renamed("bad-1.0-x1-py3-none-any.whl", "build tag 'x1'");
    bad(
        "folder instead of a file",
        folder -> Files.createDirectory(folder.resolve(simple().fileName())),
        "not a file");
    bad(
        "another file under the name of a known wheel",
        folder -> TestWheel.simple("numpy", "2.2.5").tag(PLATFORM).writeTo(folder),
        "pyodide-lock.json",
        "pyrunr wheels add numpy");
  }

  private static void renamed(String name, String... expected) {
    bad(
        "file name " + name,
        folder -> Files.write(folder.resolve(name), simple().bytes()),
        expected);
  }

  private static void archives() {
    bytes("empty file", wheel -> new byte[0], "not a zip archive");
    bytes("text file", wheel -> "<html>404</html>".getBytes(UTF_8), "not a zip archive");
    bytes("cut in half", wheel -> Arrays.copyOf(wheel, wheel.length / 2), "cut off");
    bytes("cut at the end", wheel -> Arrays.copyOf(wheel, wheel.length - 5), "cut off");
    bytes("something after the end", wheel -> concat(wheel, new byte[100]), "cut off");
    bytes("something before the start", wheel -> concat(new byte[100], wheel), "put before");
    bytes("changed contents", wheel -> patch(wheel, 60, (byte) 0x55), "bad.py");
    bytes("encrypted", wheel -> central(wheel, 8, 1), "encrypted", "without a password");
    bytes("unknown method", wheel -> central(wheel, 10, 12), "method 12", "deflate");
    bytes("wrong size", wheel -> central(wheel, 24, 3), "another size");
    bytes("zip64", wheel -> central(wheel, 26, 0xffff, 24, 0xffff), "zip64");
    bytes("not where it should be", wheel -> central(wheel, 42, 7), "not where");
    bytes("two names", wheel -> patch(wheel, 30, (byte) 'x'), "another name");
    bytes("symbolic link", wheel -> kind(wheel, 0120777), "symbolic link");
    bytes("fifo", wheel -> kind(wheel, 0010777), "neither a file nor a folder");
    bytes("overlapping members", BadWheelsTest::overlapping, "overlap");
    bytes(
        "the same name twice",
        wheel -> replaceAll(withExtra("bad.pz"), "bad.pz", "bad.py"),
        "in it twice");
    bytes(
        "a name that is not UTF-8",
        wheel -> replaceAll(withExtra("bad.pz"), "bad.pz", "b\u00e9d.pz"),
        "not UTF-8");
    wheel("bomb", simple().file("zeros", new byte[40 << 20]), "a bomb: 'zeros'");
    TestWheel many = simple();
    for (int i = 0; i < 6; i++) {
      many.file("zeros" + i, new byte[8 << 20]);
    }
    wheel("bomb in parts", many, "a bomb: it unpacks");
  }

  private static void contents() {
    String info = simple().infoFolder();
    byte[] code = "x".getBytes(UTF_8);
    wheel("no RECORD", simple().record(""), "no bad-1.0.dist-info/RECORD");
    wheel("not in RECORD", simple().unrecorded("evil.py", "1"), "'evil.py' is not in RECORD");
    wheel("wrong hash", simple().record(TestWheel.recordLine("bad.py", code)), "hash of 'bad.py'");
    wheel(
        "weak hash",
        simple().record("bad.py,md5=8yI,1\n"),
        "RECORD's hash of 'bad.py' is weak or unknown");
    wheel("no hash", simple().record("bad.py,,\n"), "RECORD has no hash for 'bad.py'");
    wheel("RECORD is no table", simple().record("bad.py\n"), "not three fields");
    wheel("hash is no base64", simple().record("bad.py,sha256=!,1\n"), "not base64");
    bad(
        "a file of RECORD missing",
        folder -> {
          Map<String, byte[]> members = simple().file("lost.py", "1").members();
          members.remove("lost.py");
          return Files.write(folder.resolve(simple().fileName()), TestWheel.zip(members));
        },
        "RECORD names 'lost.py'");
    wheel("RECORD twice", simple().record(twice("bad.py", code)), "names 'bad.py' twice");
    missing("no METADATA", info + "/METADATA");
    missing("no WHEEL", info + "/WHEEL");
    bad(
        "no dist-info",
        folder ->
            Files.write(folder.resolve(simple().fileName()), TestWheel.zip(Map.of("bad.py", code))),
        "no .dist-info");
    wheel("two dist-info", simple().file("x-1.dist-info/METADATA", "x"), "2 .dist-info folders");
    bad(
        "of another package",
        folder ->
            Files.write(
                folder.resolve(simple().fileName()), TestWheel.simple("other", "1.0").bytes()),
        "belongs to another package");
    metadata("of another version", "Name: bad\nVersion: 2.0\n", "METADATA is of bad 2.0");
    metadata("no name", "Version: 1.0\n", "0 lines 'name:'");
    metadata("a name that is none", "Name: b\u00e4d\nVersion: 1.0\n", "which is none");
    metadata(
        "a requirement that is none",
        "Name: bad\nVersion: 1.0\nRequires-Dist: a ==\n",
        "requirement 'a =='");
    wheel(
        "format of the future",
        simple().file(info + "/WHEEL", "Wheel-Version: 2.0\n"),
        "wheel format '2.0'");
    wheel(
        "for older Pythons",
        simple().header("Requires-Python: >=3.8,<3.13"),
        "needs Python >=3.8,<3.13, this is 3.13");
    wheel(
        "two files for one place",
        simple().file("bad-1.0.data/purelib/bad.py", "1"),
        "two files for 'bad.py'");
  }

  private static void metadata(String name, String text, String... expected) {
    wheel("METADATA: " + name, simple().file(simple().infoFolder() + "/METADATA", text), expected);
  }

  private static void missing(String name, String path) {
    bad(
        name,
        folder -> {
          Map<String, byte[]> members = simple().members();
          members.remove(path);
          return Files.write(folder.resolve(simple().fileName()), TestWheel.zip(members));
        },
        "no " + path);
  }

  private static void paths() {
    path("../../evil.py", "leads elsewhere");
    path("bad/../../evil.py", "leads elsewhere");
    path("./evil.py", "leads elsewhere");
    path("a//evil.py", "leads elsewhere");
    path("/etc/passwd", "absolute path");
    path("C:/evil.py", "absolute path");
    path("..\\evil.py", "backslash");
    path("evil\n.py", "control character");
    path("e".repeat(300) + ".py", "over 255 bytes");
    path("a/".repeat(600) + "evil.py", "too long");
    wheel(
        "file and folder", simple().file("x", "1").file("x/y.py", "1"), "both a file and a folder");
  }

  private static void path(String path, String... expected) {
    String shown = path.length() < 40 ? path.replace("\n", "\\n") : path.length() + " characters";
    wheel("path " + shown, simple().file(path, "1"), expected);
  }

  private static void nativeCode() {
    byte[] elf = new byte[64];
    System.arraycopy(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1}, 0, elf, 0, 7);
    byte[] x86 = elf.clone();
    x86[18] = 62;
    byte[] arm = elf.clone();
    arm[18] = (byte) 183;
    module("x86", "fast.cpython-313-x86_64-linux-gnu.so", x86, "library for x86-64");
    module("ARM", "fast.so", arm, "library for aarch64");
    module("versioned", "libs/libx.so.1.2", x86, "library for x86-64");
    module("Windows", "fast.pyd", new byte[] {'M', 'Z'}, "Windows or macOS");
    module(
        "macOS",
        "fast.so",
        new byte[] {(byte) 0xcf, (byte) 0xfa, (byte) 0xed, (byte) 0xfe},
        "macOS");
    module("empty module", "fast.so", new byte[0], "not a WebAssembly module");
    module("ELF cut off", "fast.so", Arrays.copyOf(x86, 10), "cut off");
    module("main module", "fast.so", wasm(), "without a dylink.0");
    module("other section first", "fast.so", wasm(section(1, 0)), "without a dylink.0");
    module(
        "section cut off", "fast.so", wasm(dylink(), section(3), new byte[] {1, 100}), "cut off");
    module(
        "unknown import",
        "fast.so",
        wasm(dylink(), section(2, 1, 3, 'j', 's', 'x', 1, 'f', 0, 0)),
        "imports 'f' from 'jsx'");
    module("import cut off", "fast.so", wasm(dylink(), section(2, 1, 90, 'e')), "cut off");
  }

  private static byte[] wasm(byte[]... sections) {
    return concat(new byte[] {0, 'a', 's', 'm', 1, 0, 0, 0}, concat(sections));
  }

  private static byte[] section(int id, int... contents) {
    byte[] bytes = new byte[contents.length + 2];
    bytes[0] = (byte) id;
    bytes[1] = (byte) contents.length;
    for (int i = 0; i < contents.length; i++) {
      bytes[i + 2] = (byte) contents[i];
    }
    return bytes;
  }

  private static byte[] dylink() {
    return section(0, 8, 'd', 'y', 'l', 'i', 'n', 'k', '.', '0');
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static String twice(String path, byte[] bytes) {
    return TestWheel.recordLine(path, bytes) + TestWheel.recordLine(path, bytes);
  }

  private static byte[] withExtra(String name) throws IOException {
    Map<String, byte[]> members = new LinkedHashMap<>(simple().members());
    members.put(name, new byte[] {1});
    return TestWheel.zip(members);
  }

  private static byte[] replaceAll(byte[] bytes, String old, String with) {
    return new String(bytes, ISO_8859_1).replace(old, with).getBytes(ISO_8859_1);
  }

  private static byte[] patch(byte[] bytes, int at, byte value) {
    byte[] changed = bytes.clone();
    changed[at] = value;
    return changed;
  }

  /** Sets 16-bit fields of the first entry of the central directory. */
  private static byte[] central(byte[] wheel, int... fieldsAndValues) {
    byte[] changed = wheel.clone();
    ByteBuffer buffer = ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN);
    int at = directory(buffer);
    for (int i = 0; i < fieldsAndValues.length; i += 2) {
      buffer.putShort(at + fieldsAndValues[i], (short) fieldsAndValues[i + 1]);
    }
    return changed;
  }

  private static int directory(ByteBuffer archive) {
    return archive.getInt(archive.limit() - 6);
  }

  private static byte[] kind(byte[] wheel, int mode) {
    return central(wheel, 4, 3 << 8 | 20, 40, mode);
  }

  /** The second entry says it is where the first one is, under the first one's name. */
  private static byte[] overlapping(byte[] wheel) {
    byte[] inner = wheel.clone();
    ByteBuffer buffer = ByteBuffer.wrap(inner).order(ByteOrder.LITTLE_ENDIAN);
    int first = directory(buffer);
    // The first member's data now reach into the second's header.
    buffer.putInt(first + 20, buffer.getInt(first + 20) + 20);
    return inner;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void isNamedAndHarmsNobody(Case bad) throws Exception {
    TestWheel.simple("good", "1.0").writeTo(folder);
    Path file = bad.maker.in(folder);
    WheelFolders folders =
        new WheelFolders(
            List.of(folder), CacheHome.at(cache), WheelPlatform.of(PyodideDistribution.bundled()));
    WheelSet set = folders.scan();
    assertEquals(GOOD_TITLE, set.toString());
    assertEquals(1, set.problems().size(), set.problems()::toString);
    String problem = set.problems().get(0);
    assertTrue(problem.startsWith("wheel " + file.getFileName() + ": "), problem);
    for (String part : bad.expected) {
      assertTrue(problem.contains(part), problem);
    }
    assertTrue(problem.contains("; "), problem);
    assertEquals(1, problem.lines().count(), problem);
    try (Stream<Path> kept = Files.list(cache.resolve("wheels"))) {
      assertEquals(1, kept.count(), "something of the bad wheel was kept");
    }
  }
}
