package io.pyrunr.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The library has bytecode beside its sources, and modules name their sources all the same. */
class LibraryFilesTest {
  private static final String WRONG =
      """
      import importlib.util, inspect, pkgutil, sys, warnings
      warnings.simplefilter("ignore")
      ARCHIVE = next(path for path in sys.path if path.endswith(".zip"))

      def wrong(module):
          spec = module.__spec__
          files = {module.__file__, inspect.getsourcefile(module), inspect.getfile(module)}
          cached = {importlib.util.cache_from_source(module.__file__)}
          if spec.origin != "frozen":
              files.add(spec.origin)
              cached |= {spec.cached, module.__cached__}
          files |= {f.__code__.co_filename for f in vars(module).values()
                    if inspect.isfunction(f) and f.__module__ == module.__name__ and not hasattr(f, "__wrapped__")
                    and f.__code__.co_filename.startswith(ARCHIVE)}
          if len(files) > 1 or not module.__file__.endswith(".py") or len(cached) > 1:
              return [module.__name__, *map(str, files | cached)]

      # Imported before the job, by the job, and only found.
      import calendar, concurrent.futures, csv, email.message, html.parser, importlib.resources, json.tool, wave
      loaded = [m for m in list(sys.modules.values()) if (getattr(m, "__file__", None) or "").startswith(ARCHIVE)]
      assert len(loaded) > 100
      different = [w for w in map(wrong, loaded) if w]
      for name in "tomllib", "zipapp", "xml.dom.minidom":
          origin = importlib.util.find_spec(name).origin
          if not origin.endswith(".py"):
              different.append([name, origin])
      different
      """;

  private static final String RESOURCES =
      """
      import os, sys
      os.makedirs("/tmp/somepackage")
      with open("/tmp/somepackage/__init__.py", "w") as f:
          f.write("import importlib.resources as r\\ndef text(): return r.files().joinpath('t.txt').read_text()")
      with open("/tmp/somepackage/t.txt", "w") as f:
          f.write("found")
      sys.path.insert(0, "/tmp")
      import somepackage
      somepackage.text()
      """;

  @Test
  void modulesNameTheirSources() throws InterruptedException {
    assertEquals("[]", valueOf(WRONG));
  }

  @Test
  void aPackageFindsItsOwnResources() throws InterruptedException {
    assertEquals("\"found\"", valueOf(RESOURCES));
  }

  private static String valueOf(String code) throws InterruptedException {
    try (PythonExecutor python = PythonExecutor.builder().build()) {
      PythonResult result = python.run(PythonJob.of(code));
      assertEquals(PythonResult.Status.SUCCEEDED, result.status(), result::toString);
      return result.valueJson();
    }
  }
}
