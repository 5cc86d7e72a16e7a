package io.pyrunr.dashboard.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pyrunr.dashboard.it.PackagedJar.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Wheels in the drop box, and the user's cache, with processes that share it or fail. */
@EnabledOnOs(OS.LINUX)
class CacheIT {
  private static final String CODE = "import dep; dep.__version__";

  /** An extension module: what takes longest, and is largest, is made of it. */
  private static final Path NATIVE =
      Path.of(
          "../executor/src/test/wheels/own/dist/fastsum-0.1.0-cp313-cp313-pyodide_2025_0_wasm32.whl");

  @TempDir Path folder;

  @BeforeEach
  void dropWheels() throws Exception {
    Path box = Files.createDirectory(folder.resolve("wheel-cache"));
    WheelsIT.wheel(box, "dep", "2.0", "");
    Files.copy(NATIVE, box.resolve(NATIVE.getFileName()));
  }

  private Path cache() {
    return folder.resolve("cache");
  }

  /** A command as it is written in the folder of the drop box. */
  private ProcessBuilder command(Map<String, String> environment, String... arguments) {
    ProcessBuilder command = new ProcessBuilder(PackagedJar.command(arguments));
    command.directory(folder.toFile());
    command.environment().keySet().removeAll(List.of("HOME", "XDG_CACHE_HOME", "PYRUNR_CACHE"));
    command.environment().putAll(environment);
    return command;
  }

  private Output run(ProcessBuilder command) throws IOException, InterruptedException {
    return PackagedJar.run(folder, command);
  }

  private Output run(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    return run(command(environment, arguments));
  }

  private Output runHere(String... arguments) throws IOException, InterruptedException {
    return run(Map.of("PYRUNR_CACHE", cache().toString()), arguments);
  }

  private static void assertWorks(Output output) throws IOException {
    assertEquals(0, output.exitCode(), output.err());
    assertEquals("2.0", output.json().path("value").asText(), output.out());
  }

  private static List<String> warnings(Output output) {
    return output.err().lines().filter(line -> line.contains(" WARN ")).toList();
  }

  private List<String> kept() throws IOException {
    try (Stream<Path> files = Files.walk(cache())) {
      return files.filter(Files::isRegularFile).map(file -> file.getFileName().toString()).toList();
    }
  }

  @Test
  void theDropBoxNeedsNoFlagAndIsOnlyRead() throws Exception {
    assertWorks(runHere("run", "-c", CODE));
    Output checked = runHere("wheels", "check");
    assertEquals(0, checked.exitCode(), checked.out());
    assertTrue(checked.out().contains("compiled wheels: " + cache()), checked.out());
    assertFalse(checked.out().contains("not used any more"), checked.out());
    assertEquals(1, runHere("run", "--no-wheel-cache", "-c", CODE).exitCode());
    String other = Files.createDirectory(folder.resolve("other")).toString();
    assertEquals(1, runHere("run", "--wheel-cache", other, "-c", CODE).exitCode());
    try (Stream<Path> dropped = Files.list(folder.resolve("wheel-cache"))) {
      assertEquals(2, dropped.count());
    }

    // What is compiled once is not compiled again, wherever the wheels are.
    Files.move(folder.resolve("wheel-cache"), folder.resolve("box"));
    Output moved = runHere("run", "--wheel-cache", "box", "-c", CODE);
    assertWorks(moved);
    assertEquals("", moved.err());
    Files.createDirectory(folder.resolve("box/.pyrunr"));
    assertTrue(
        runHere("wheels", "list", "--wheel-cache", "box").out().contains("it may be deleted"));
  }

  @Test
  void aCommandWithoutWheelsTouchesNoCache() throws Exception {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    Files.createDirectory(empty.resolve("wheel-cache"));
    Output output =
        run(
            command(
                    Map.of("PYRUNR_CACHE", cache().toString()),
                    "run",
                    "-c",
                    "1",
                    "--preload",
                    "json")
                .directory(empty.toFile()));
    assertEquals(0, output.exitCode(), output.err());
    assertEquals("", output.err());
    assertFalse(Files.exists(cache()));
  }

  @Test
  void aCacheOfOthersIsRefusedInOneLine() throws Exception {
    Files.createDirectory(cache());
    Files.setAttribute(cache(), "unix:mode", 0777);
    for (String[] arguments : new String[][] {{"run", "-c", "1"}, {"wheels", "check"}}) {
      Output output = runHere(arguments);
      assertEquals(2, output.exitCode(), output.err());
      assertEquals(1, output.err().lines().count(), output.err());
      assertTrue(output.err().contains("others can write to the cache"), output.err());
    }
  }

  @Test
  void withoutAHomeThereIsOneWarning() throws Exception {
    String nowhere = "-Duser.home=/nonexistent";
    for (Map<String, String> environment :
        List.of(
            Map.of("HOME", "/nonexistent"),
            Map.of("JDK_JAVA_OPTIONS", nowhere), // HOME is not set
            Map.of("PYRUNR_CACHE", "/dev/null/cache"))) {
      Output output = run(environment, "run", "-c", CODE);
      assertWorks(output);
      assertEquals(1, warnings(output).size(), output.err());
    }
    assertFalse(Files.exists(Path.of("/nonexistent")));
  }

  @Test
  void homeAndXdgAreFound() throws Exception {
    Path home = Files.createDirectory(folder.resolve("home"));
    assertWorks(run(Map.of("HOME", home.toString()), "run", "-c", CODE));
    assertTrue(Files.isDirectory(home.resolve(".cache/pyrunr/wheels")));
    Path xdg = folder.resolve("xdg");
    Map<String, String> both = Map.of("HOME", home.toString(), "XDG_CACHE_HOME", xdg.toString());
    assertWorks(run(both, "run", "-c", CODE));
    assertTrue(Files.isDirectory(xdg.resolve("pyrunr/wheels")));
  }

  /** The limit on files' sizes fails a write in its middle, as a disk that is full does. */
  @Test
  void onAFullDiskThereIsOneWarning() throws Exception {
    List<String> limited = new ArrayList<>(List.of("bash", "-c", "ulimit -f 64; exec \"$@\"", "-"));
    limited.addAll(PackagedJar.command("run", "-c", CODE + "; import _fastsum; dep.__version__"));
    ProcessBuilder command = command(Map.of("PYRUNR_CACHE", cache().toString())).command(limited);
    Output output = run(command);
    assertWorks(output);
    assertEquals(1, warnings(output).size(), output.err());
    assertTrue(output.err().contains("File too large"), output.err());
    assertFalse(kept().stream().anyMatch(name -> name.endsWith(".tmp")), kept()::toString);
  }

  @Test
  void processesThatBeginTogetherShareIt() throws Exception {
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      processes.add(
          command(Map.of("PYRUNR_CACHE", cache().toString()), "wheels", "check")
              .redirectOutput(folder.resolve("out" + i).toFile())
              .redirectError(folder.resolve("err" + i).toFile())
              .start());
    }
    for (int i = 0; i < processes.size(); i++) {
      assertTrue(processes.get(i).waitFor(5, TimeUnit.MINUTES));
      String said = Files.readString(folder.resolve("err" + i));
      assertEquals(0, processes.get(i).exitValue(), said);
      assertFalse(said.contains("WARN"), said);
    }
    assertEquals(kept().size(), kept().stream().distinct().count());
    assertFalse(kept().stream().anyMatch(name -> name.endsWith(".tmp")), kept()::toString);
    assertWorks(runHere("run", "-c", CODE));
  }

  /** At whatever moment: the next process finds all of a file or none of it. */
  @Test
  void aProcessThatIsKilledLeavesNothingWrong() throws Exception {
    for (int millis : new int[] {500, 1000, 1500, 2000, 3000}) {
      Process process =
          command(Map.of("PYRUNR_CACHE", cache().toString()), "wheels", "check")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      boolean ended = process.waitFor(millis, TimeUnit.MILLISECONDS);
      process.destroyForcibly().waitFor();
      Output output = runHere("run", "-c", CODE + "; import _fastsum; dep.__version__");
      assertWorks(output);
      assertEquals(List.of(), warnings(output));
      if (!ended) {
        try (Stream<Path> files = Files.walk(cache())) {
          files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        }
      }
    }
  }
}
