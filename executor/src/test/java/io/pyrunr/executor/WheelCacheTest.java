package io.pyrunr.executor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pure-Python wheels in a folder. */
class WheelCacheTest {
  @TempDir Path folder;

  private static void wheel(Path file, Map<String, String> entries) throws IOException {
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file))) {
      for (Map.Entry<String, String> entry : entries.entrySet()) {
        out.putNextEntry(new ZipEntry(entry.getKey()));
        out.write(entry.getValue().getBytes(UTF_8));
      }
    }
  }

  private Path simple(String version) throws IOException {
    Path file = folder.resolve("Snack_Bar-" + version + "-py3-none-any.whl");
    wheel(
        file,
        Map.of(
            "snack_bar/__init__.py",
            "from .menu import price\n__version__ = '" + version + "'\n",
            "snack_bar/menu.py",
            "def price(): return 3\n",
            "snack_bar/data.txt",
            "salt",
            "snack_bar-1.data/purelib/beside.py",
            "x = 4\n",
            "snack_bar-1.data/scripts/run",
            "#!python\n",
            "snack_bar-" + version + ".dist-info/METADATA",
            "Metadata-Version: 2.1\nName: snack-bar\nVersion: " + version + "\n"));
    return file;
  }

  @Test
  void packagesDataFilesAndMetadataAreFound() throws Exception {
    simple("1.0");
    Path images = folder.resolve("images");
    String code =
        """
        import snack_bar, beside, importlib.metadata, importlib.resources, os
        [snack_bar.price(), beside.x, importlib.metadata.version("snack-bar"),
         importlib.resources.files("snack_bar").joinpath("data.txt").read_text(),
         os.path.exists(os.path.dirname(snack_bar.__file__) + "/data.txt"),
         os.path.exists(os.path.dirname(snack_bar.__file__) + "/__pycache__")]
        """;
    try (PythonExecutor python =
        PythonExecutor.builder()
            .wheelCache(folder)
            .preload("snack_bar")
            .imageFolder(images)
            .build()) {
      PythonResult result = python.run(PythonJob.of(code));
      assertEquals("[3,4,\"1.0\",\"salt\",true,false]", result.valueJson(), result::toString);
      assertEquals(
          "true", python.run(PythonJob.of("import sys\n'snack_bar' in sys.modules")).valueJson());
      assertEquals(
          "OSError",
          python
              .run(
                  PythonJob.of(
                      "import snack_bar\ntry:\n  open(snack_bar.__file__, 'w').write('evil')\n"
                          + "except OSError: pass\nraise OSError"))
              .error()
              .type());
      assertEquals(3, python.run(PythonJob.of("import snack_bar.menu as m\nm.price()")).value());
    }
    try (var kept = Files.list(images)) {
      assertEquals(1, kept.count());
    }
  }

  @Test
  void whatIsWrongIsSaidInOneLine() throws Exception {
    simple("1.0");
    simple("1.1");
    assertTrue(failure(folder).contains("keep one of them"));
    assertTrue(failure(folder.resolve("missing")).contains("cannot be read"));
    Path broken = Files.createDirectory(folder.resolve("broken"));
    Files.writeString(broken.resolve("a-1-py3-none-any.whl"), "no zip");
    assertTrue(failure(broken).contains("is not a wheel"));
    Path evil = Files.createDirectory(folder.resolve("evil"));
    wheel(evil.resolve("a-1-py3-none-any.whl"), Map.of("../../x.py", "1"));
    assertTrue(failure(evil).contains("outside of it"));
  }

  private static String failure(Path wheels) {
    var builder = PythonExecutor.builder().wheelCache(wheels);
    return assertThrows(IllegalArgumentException.class, builder::build).getMessage();
  }
}
