package io.pyrunr.dashboard.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pyrunr.dashboard.it.PackagedJar.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder of wheels from the command line. */
class WheelsIT {
  @TempDir Path folder;

  private Path cache() throws IOException {
    return Files.createDirectories(folder.resolve("cache"));
  }

  private void wheel(String name, String version, String requires) throws Exception {
    wheel(cache(), name, version, requires);
  }

  static void wheel(Path folder, String name, String version, String requires) throws Exception {
    String info = name + "-" + version + ".dist-info/";
    Map<String, String> files = new LinkedHashMap<>();
    files.put(name + ".py", "__version__ = '" + version + "'\n");
    files.put(
        info + "METADATA",
        "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n" + requires);
    files.put(info + "WHEEL", "Wheel-Version: 1.0\n");
    StringBuilder record = new StringBuilder();
    for (Map.Entry<String, String> file : files.entrySet()) {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(file.getValue().getBytes(UTF_8));
      String text = Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
      record.append(file.getKey()).append(",sha256=").append(text).append(",\n");
    }
    files.put(info + "RECORD", record + info + "RECORD,,\n");
    Path file = folder.resolve(name + "-" + version + "-py3-none-any.whl");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file))) {
      for (Map.Entry<String, String> each : files.entrySet()) {
        out.putNextEntry(new ZipEntry(each.getKey()));
        out.write(each.getValue().getBytes(UTF_8));
      }
    }
  }

  private Output pyrunr(String... arguments) throws Exception {
    return PackagedJar.run(folder, arguments);
  }

  @Test
  void listedCheckedLockedAndUsed() throws Exception {
    wheel("app", "1.0", "Requires-Dist: dep\n");
    wheel("dep", "1.0", "");
    wheel("dep", "2.0", "");
    String cache = cache().toString();

    Output checked = pyrunr("wheels", "check", "--wheel-cache", cache);
    assertEquals(0, checked.exitCode(), checked.err());
    assertTrue(checked.out().contains("ok   app 1.0: needs dep; unpacked"), checked.out());
    assertTrue(checked.out().contains("dep 1.0 (another version is used)"), checked.out());
    assertTrue(checked.out().endsWith("3 wheels, 0 bad\n"), checked.out());

    Output locked = pyrunr("wheels", "lock", "--wheel-cache", cache);
    assertEquals(0, locked.exitCode(), locked.err());
    String lock = Files.readString(cache().resolve("pyrunr.lock"));
    assertTrue(lock.contains("dep==2.0 \\\n    --hash=sha256:"), lock);

    wheel("dep", "3.0", "");
    Files.writeString(cache().resolve("bad-1-py3-none-any.whl"), "<html>");
    Output listed = pyrunr("wheels", "list", "--wheel-cache", cache);
    assertEquals(0, listed.exitCode(), listed.err());
    assertEquals("", listed.err(), "what is wrong stands in the table");
    assertTrue(listed.out().contains("dep      2.0      yes"), listed.out());
    assertTrue(listed.out().contains("dep      3.0      no"), listed.out());
    assertTrue(listed.out().contains("bad-1-py3-none-any.whl: not a zip archive"), listed.out());
    assertEquals(1, pyrunr("wheels", "check", "--wheel-cache", cache).exitCode());

    String code = "import app, dep; dep.__version__";
    Output all = pyrunr("run", "--wheel-cache", cache, "-c", code);
    assertEquals("2.0", all.json().path("value").asText(), all.out());
    Output one = pyrunr("run", "--wheel-cache", cache, "--requires", "dep==1.0,app", "-c", code);
    assertEquals("1.0", one.json().path("value").asText(), one.out());
    Path jobs = folder.resolve("jobs.jsonl");
    Files.writeString(
        jobs,
        """
        {"code":"import app","requires":["dep"]}
        {"code":"import app","requires":["lost"]}
        """);
    Output lines = pyrunr("run", "--wheel-cache", cache, "--jobs", jobs.toString());
    assertEquals(1, lines.exitCode());
    assertEquals(
        "ModuleNotFoundError", lines.lines().get(0).at("/error/type").asText(), lines.out());
    assertEquals("RequirementError", lines.lines().get(1).at("/error/type").asText());
  }
}
