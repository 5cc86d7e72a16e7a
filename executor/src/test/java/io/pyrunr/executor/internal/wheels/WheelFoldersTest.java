package io.pyrunr.executor.internal.wheels;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.TestWheel;
import io.pyrunr.executor.WheelReport;
import io.pyrunr.executor.internal.fs.BaseLayer;
import io.pyrunr.executor.internal.io.CacheHome;
import io.pyrunr.executor.internal.io.Digests;
import io.pyrunr.executor.internal.wheels.archive.BytecodeCompiler;
import io.pyrunr.executor.internal.wheels.archive.Wheel;
import io.pyrunr.executor.internal.wheels.archive.WheelPlatform;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is chosen from folders of wheels, and what is kept of them. */
class WheelFoldersTest {
  @TempDir Path folder;
  @TempDir Path cache;

  private WheelSet scan(Path... folders) {
    return scan(CacheHome.at(cache), folders.length == 0 ? List.of(folder) : List.of(folders));
  }

  private static WheelSet scan(CacheHome cache, List<Path> folders) {
    WheelPlatform platform = WheelPlatform.of(PyodideDistribution.bundled());
    return new WheelFolders(folders, cache, platform).scan();
  }

  private static TestWheel wheel(String name, String version, String... requires) {
    return TestWheel.simple(name, version).requires(requires);
  }

  private void put(TestWheel... wheels) throws IOException {
    for (TestWheel wheel : wheels) {
      wheel.writeTo(folder);
    }
  }

  private void expect(String chosen, String... problems) {
    WheelSet set = scan();
    List<String> found = new ArrayList<>(set.problems());
    set.unmet().forEach(need -> found.add(need.toString()));
    assertEquals(chosen, set.toString(), found::toString);
    assertEquals(problems.length, found.size(), found::toString);
    for (String problem : problems) {
      assertTrue(found.stream().anyMatch(text -> text.contains(problem)), found::toString);
    }
  }

  @Test
  void theHighestVersionIsChosen() throws Exception {
    put(wheel("a", "1.9"), wheel("a", "1.10"), wheel("a", "1.10rc1"), wheel("a", "2.0rc1"));
    expect("a 1.10");
  }

  @Test
  void aPrereleaseIsChosenIfThereIsNothingElseOrItIsPinned() throws Exception {
    put(wheel("a", "2.0rc1"));
    expect("a 2.0rc1");
    put(wheel("a", "1.0"));
    expect("a 1.0");
    Files.writeString(folder.resolve("requirements.txt"), "a>=2.0rc1\n");
    expect("a 2.0rc1");
  }

  @Test
  void theBestTagAndTheHighestBuildOfOneVersion() throws Exception {
    put(wheel("a", "1.0").tag("py2.py3-none-any"), wheel("a", "1.0").tag("py313-none-any"));
    put(wheel("a", "1.0").tag("9-py313-none-any"), wheel("a", "1.0").tag("10-py313-none-any"));
    assertEquals("a-1.0-10-py313-none-any.whl", scan().chosen().get(0).fileName().text());
  }

  @Test
  void aVersionThatOthersCanLiveWith() throws Exception {
    put(wheel("a", "1.0"), wheel("a", "2.0"), wheel("a", "3.0"), wheel("b", "1.0", "A<3"));
    put(wheel("c", "1.0", "a!=2.0"));
    expect("a 1.0, b 1.0, c 1.0");
  }

  /** The highest b needs a newer a than c allows, so an older b is taken. */
  @Test
  void aSearchWithBacktracking() throws Exception {
    put(wheel("a", "1.0"), wheel("a", "2.0"), wheel("b", "1.0", "a<2"), wheel("b", "2.0", "a>=2"));
    put(wheel("c", "1.0", "a<2", "b"));
    expect("a 1.0, b 1.0, c 1.0");
  }

  @Test
  void conflictsAreNamedAndTheHighestUsed() throws Exception {
    put(wheel("a", "1.0"), wheel("a", "2.0"), wheel("b", "1.0", "a<2"), wheel("c", "1.0", "a>=2"));
    expect(
        "a 2.0, b 1.0, c 1.0", "b 1.0 needs a<2, but c 1.0 needs a>=2; drop versions that agree");
  }

  @Test
  void whatIsMissingIsNamedWithWhoNeedsIt() throws Exception {
    put(wheel("a", "1.0", "Gone_Thing>=2", "b>=5; python_version > '3'", "c; os_name == 'nt'"));
    put(wheel("b", "1.0"));
    expect(
        "a 1.0, b 1.0",
        "a 1.0 needs gone-thing>=2, but it is not there; drop a wheel of gone-thing",
        "a 1.0 needs b>=5, but there is only 1.0; drop a version that fits");
  }

  /** Metadata may name one once per marker. */
  @Test
  void whatIsNeededIsNamedOncePerPackage() throws Exception {
    put(wheel("b", "1.0"));
    put(
        wheel(
            "a",
            "1.0",
            "b>=1; python_version > '3'",
            "c>=2",
            "B >=1,!=1.5; os_name == 'posix'",
            "b[x]<3",
            "c<5; python_version > '3'"));
    WheelReport.Entry a =
        new FolderReport(
                new WheelFolders(
                    List.of(folder),
                    CacheHome.at(cache),
                    WheelPlatform.of(PyodideDistribution.bundled())))
            .contents()
            .wheels()
            .get(0);
    assertEquals(List.of("b[x]>=1,!=1.5,<3", "c>=2,<5"), a.requires());
    assertEquals(1, a.missing().size(), a.missing()::toString);
    assertTrue(a.missing().get(0).startsWith("c>=2,<5 (it is not there"), a.missing()::toString);
  }

  @Test
  void extrasCountWhenSomebodyAsksForThem() throws Exception {
    TestWheel a = wheel("a", "1.0", "b; extra == 'more'", "c; extra == 'most'");
    put(a.header("Provides-Extra: more").header("Provides-Extra: most"));
    expect("a 1.0");
    put(wheel("d", "1.0", "a[More]"));
    expect("a 1.0, d 1.0", "a 1.0 needs b, but it is not there");
  }

  /** A chain of them, each asking for the next. */
  @Test
  void extrasAreLookedAtOnce() throws Exception {
    TestWheel chain = wheel("a", "1.0");
    List<String> requires = new ArrayList<>(List.of("a[e0]"));
    for (int i = 0; i < 800; i++) {
      chain.header("Provides-Extra: e" + i);
      requires.add("a[e" + (i + 1) + "]; extra == 'e" + i + "'");
    }
    requires.add("gone; extra == 'e800'");
    chain.header("Provides-Extra: e800");
    put(chain.requires(requires.toArray(String[]::new)));
    assertTimeout(
        Duration.ofSeconds(60), () -> expect("a 1.0", "a 1.0 needs gone, but it is not there"));
  }

  @Test
  void aLinkToItselfHidesNoOther() throws Exception {
    put(wheel("a", "1.0"), wheel("c", "1.0"));
    Path loop = folder.resolve("b-1.0-py3-none-any.whl");
    Files.createSymbolicLink(loop, loop.getFileName());
    expect("a 1.0, c 1.0", "wheel b-1.0-py3-none-any.whl: not a file");
  }

  @Test
  void cyclesAreFine() throws Exception {
    put(wheel("a", "1.0", "b"), wheel("b", "1.0", "a"), wheel("s", "1", "s[x]", "s>0"));
    expect("a 1.0, b 1.0, s 1");
  }

  @Test
  void pins() throws Exception {
    put(wheel("a", "1.0"), wheel("a", "2.0"), wheel("b", "1.0"));
    Files.writeString(
        folder.resolve("requirements.txt"),
        "# comment\nA == 1.0 \\\n   ; python_version > '3'  # pinned\nb==2; os_name == 'nt'\n");
    expect("a 1.0, b 1.0");
    put(wheel("c", "1.0", "a>=2"));
    expect(
        "a 1.0, b 1.0, c 1.0",
        "c 1.0 needs a>=2, but a== 1.0 (requirements.txt) is asked for; change the pin");
    Files.delete(folder.resolve("c-1.0-py3-none-any.whl"));
    Files.writeString(folder.resolve("requirements.txt"), "-r other.txt\nb==2.0\nx\ny z\n");
    expect(
        "a 2.0",
        "'-r other.txt' is left out",
        "b: b==2.0 (requirements.txt) is asked for, there is 1.0",
        "x: x (requirements.txt) is asked for, there is no wheel of it",
        "'y z'");
  }

  @Test
  void aLockWinsOverRequirementsAndItsHashesCount() throws Exception {
    Path one = wheel("a", "1.0").writeTo(folder);
    put(wheel("a", "2.0"));
    Files.writeString(folder.resolve("requirements.txt"), "a==2.0\n");
    String hash = Digests.sha256(Files.readAllBytes(one));
    Files.writeString(folder.resolve("pyrunr.lock"), "a==1.0 \\\n    --hash=sha256:" + hash + "\n");
    expect("a 1.0");
    Files.writeString(
        folder.resolve("pyrunr.lock"), "a==1.0 --hash=sha256:" + "0".repeat(64) + "\n");
    expect("no packages", "a==1.0 with one of 1 hashes (pyrunr.lock) is asked for");
  }

  @Test
  void theFirstFolderWins() throws Exception {
    Path second = Files.createDirectory(folder.resolve("second"));
    put(wheel("a", "1.0"));
    wheel("a", "2.0").writeTo(second);
    wheel("b", "1.0").writeTo(second);
    assertEquals("a 1.0, b 1.0", scan(folder, second).toString());
    assertEquals("a 2.0, b 1.0", scan(second, folder).toString());
  }

  @Test
  void aFolderMadeToBeSlowIsNot() throws Exception {
    for (int i = 0; i < 12; i++) {
      for (int version = 1; version <= 4; version++) {
        put(wheel("p" + i, version + ".0", "q" + i + "<" + version));
        put(wheel("q" + i, version + ".0", "p" + (i + 1) % 12 + "<" + version));
      }
    }
    assertTrue(scan().toString().startsWith("p0 4.0"), scan()::toString);
  }

  @Test
  void aMissingFolderIsAnError() {
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> scan(folder.resolve("none")))
            .getMessage()
            .contains("cannot be read"));
  }

  @Test
  void importRoots() throws Exception {
    put(
        TestWheel.of("multi", "1")
            .file("one/__init__.py", "")
            .file("one/sub/__init__.py", "")
            .file("space/inner/deep/__init__.py", "")
            .file("space/mod.py", "")
            .file("single.py", "")
            .file("multi.libs/x.txt", ""));
    assertEquals(
        List.of("one", "single", "space.inner.deep", "space.mod"),
        scan().chosen().get(0).importRoots());
  }

  // What is kept

  private static final class CountingCompiler implements BytecodeCompiler {
    int compiled;

    @Override
    public Map<String, byte[]> compile(Map<String, byte[]> sources) {
      compiled += sources.size();
      Map<String, byte[]> bytecode = new HashMap<>();
      sources.forEach((path, source) -> bytecode.put(path, new byte[] {(byte) source.length}));
      return bytecode;
    }
  }

  private int compile(WheelSet set) throws InterruptedException {
    CountingCompiler compiler = new CountingCompiler();
    set.addTo(BaseLayer.builder(), compiler);
    return compiler.compiled;
  }

  private List<Path> kept() throws IOException {
    try (Stream<Path> files = Files.list(cache.resolve("wheels"))) {
      return files.sorted().toList();
    }
  }

  @Test
  void unpackedAndCompiledOnce() throws Exception {
    put(wheel("a", "1.0").file("pkg/__init__.py", "").file("pkg/tests/test_it.py", "1"));
    assertEquals(2, compile(scan())); // not the test
    assertEquals(2, kept().size());
    assertEquals(0, compile(scan()));
  }

  /** Wherever a wheel lies, but not whatever it is called. */
  @Test
  void wheelsInTwoFoldersShareWhatIsMadeOfThem() throws Exception {
    Path second = Files.createDirectory(folder.resolve("second"));
    Path wheel = wheel("a", "1.0").writeTo(folder);
    assertEquals(1, compile(scan()));
    Files.copy(wheel, second.resolve(wheel.getFileName()));
    assertEquals(0, compile(scan(second)));
    assertEquals(2, kept().size());
    Files.move(wheel, folder.resolve("b-1.0-py3-none-any.whl"));
    expect("no packages", "wheel b-1.0-py3-none-any.whl: METADATA is of a 1.0");
  }

  /** A damaged index is noticed at once, damaged contents when they are read. */
  @Test
  void damagedFilesAreMadeAnew() throws Exception {
    put(wheel("a", "1.0"));
    WheelSet before = scan();
    compile(before);
    for (Path file : kept()) {
      byte[] good = Files.readAllBytes(file);
      for (int at : new int[] {3, 20, good.length / 2, good.length - 12, good.length - 2}) {
        byte[] bad = good.clone();
        bad[at] ^= 0x10;
        Files.write(file, bad);
        try {
          readAll(scan());
        } catch (UncheckedIOException e) {
          assertTrue(e.getMessage().contains("restart"), e::getMessage);
        }
        WheelSet set = scan();
        assertEquals(List.of(), set.problems());
        readAll(set);
        assertTrue(Arrays.equals(good, Files.readAllBytes(file)), "changed at " + at);
        assertEquals(before.fingerprint(), set.fingerprint());
      }
      Files.write(file, new byte[0]);
      compile(scan());
      assertTrue(Arrays.equals(good, Files.readAllBytes(file)));
    }
  }

  private void readAll(WheelSet set) throws InterruptedException {
    for (Wheel wheel : set.chosen()) {
      wheel.files().values().forEach(BaseLayer.Content::bytes);
      set.bytecode(new CountingCompiler()).of(wheel).values().forEach(BaseLayer.Content::bytes);
    }
  }

  @Test
  void manyAtOnce() throws Exception {
    put(wheel("a", "1.0"), wheel("b", "1.0"));
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<String>> work = new ArrayList<>();
      for (int i = 0; i < 32; i++) {
        work.add(
            () -> {
              WheelSet set = scan();
              compile(set);
              return set + " " + set.problems();
            });
      }
      for (Future<String> each : threads.invokeAll(work)) {
        assertEquals("a 1.0, b 1.0 []", each.get());
      }
    } finally {
      threads.shutdown();
    }
    assertEquals(4, kept().size(), kept()::toString);
  }

  @Test
  void whereNothingCanBeWrittenMemoryIsUsed() throws Exception {
    put(wheel("a", "1.0"));
    Path file = Files.writeString(folder.resolve("file"), "a file where the folder should be");
    WheelSet set = scan(CacheHome.at(file), List.of(folder));
    assertEquals("a 1.0", set.toString());
    assertEquals(1, compile(set));
    assertTrue(set.chosen().get(0).files().get("a.py").bytes().length > 0);
  }

  @Test
  void sideModulesAreListed() throws Exception {
    byte[] module = {0, 'a', 's', 'm', 1, 0, 0, 0, 0, 9, 8, 'd', 'y', 'l', 'i', 'n', 'k', '.', '0'};
    put(
        TestWheel.of("fast", "1.0")
            .tag("cp313-cp313-pyodide_2025_0_wasm32")
            .file("fast/_core.cpython-313-wasm32-emscripten.so", module)
            .file("fast/__init__.py", ""));
    List<SideModuleFile> modules = scan().sideModules();
    assertEquals(1, modules.size());
    assertEquals(Digests.sha256(module), modules.get(0).content().sha256());
    assertEquals(
        List.of(
            "/lib/python3.13/site-packages/fast/_core.cpython-313-wasm32-emscripten.so",
            "/lib/wheels/fast-1.0/site-packages/fast/_core.cpython-313-wasm32-emscripten.so"),
        modules.get(0).paths());
    assertEquals(module.length, modules.get(0).content().bytes().length);
  }

  @Test
  void sharedLibrariesOfTheLockFile() throws Exception {
    byte[] module = {0, 'a', 's', 'm', 1, 0, 0, 0, 0, 9, 8, 'd', 'y', 'l', 'i', 'n', 'k', '.', '0'};
    byte[] archive = TestWheel.zip(Map.of("libx.so", module));
    String lock =
        "{\"info\":{\"arch\":\"wasm32\",\"platform\":\"emscripten_4_0_9\"},\"packages\":{\"libx\":{"
            + "\"file_name\":\"libx-1.zip\",\"package_type\":\"shared_library\",\"sha256\":\""
            + Digests.sha256(archive)
            + "\"}}}";
    WheelPlatform platform =
        new WheelPlatform(PyodideDistribution.bundled()::layout, () -> lock.getBytes(UTF_8));
    WheelFolders folders = new WheelFolders(List.of(folder), CacheHome.at(cache), platform);
    Files.writeString(folder.resolve("other.zip"), "not ours");
    String empty = folders.scan().fingerprint();
    Files.write(folder.resolve("libx-1.zip"), archive);
    WheelSet set = folders.scan();
    assertEquals(List.of(), set.problems());
    assertTrue(!set.fingerprint().equals(empty));
    assertEquals(List.of("/usr/lib/libx.so"), set.sideModules().get(0).paths());
    Files.writeString(folder.resolve("libx-1.zip"), "changed");
    assertEquals(0, folders.scan().sideModules().size());
    assertTrue(
        folders.scan().problems().get(0).startsWith("library libx-1.zip: its SHA-256"),
        folders.scan().problems()::toString);
  }

  @Test
  void otherDataFoldersAreFiles() throws Exception {
    put(TestWheel.simple("x", "1").file("pkg.data/x.txt", "not ours: another package's name"));
    expect("x 1");
  }
}
