package io.pyrunr.executor.internal.interpreter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.fs.BaseLayer;
import io.pyrunr.executor.internal.fs.VirtualFileSystem;
import io.pyrunr.executor.internal.runtime.PythonFiles;
import io.pyrunr.executor.internal.runtime.PythonRuntime;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What interpreters of one kind have in common: a distribution, the files below every job's own,
 * and modules imported in advance. Immutable and thread-safe.
 */
final class PythonEnvironment {
  /** Where our own Python modules are; first on {@code sys.path}. */
  static final String OWN_MODULES = "/lib/pyrunr";

  private static final String RESOURCES = "/io/pyrunr/executor/python/";

  /** Our modules below {@link #RESOURCES}. A jar's entries cannot be listed reliably. */
  private static final List<String> SOURCES =
      List.of(
          "_pyrunr/__init__.py",
          "_pyrunr/bootstrap.py",
          "_pyrunr/errors.py",
          "_pyrunr/event_loop.py",
          "_pyrunr/imports.py",
          "_pyrunr/values.py",
          "pyodide/__init__.py",
          "pyodide/code.py",
          "pyodide/ffi.py",
          "pyrunr.py");

  private final PyodideDistribution distribution = PyodideDistribution.bundled();
  private final BaseLayer files;
  private final List<String> preload;

  PythonEnvironment(List<Path> wheels, List<String> preload) {
    this.preload = List.copyOf(preload);
    BaseLayer.Builder layer = PythonFiles.base(distribution);
    String[] version = distribution.layout().pythonVersion().split("\\.");
    String sitePackages = "/lib/python" + version[0] + "." + version[1] + "/site-packages";
    wheels.forEach(wheel -> PureWheels.unpack(wheel, sitePackages, layer));
    for (String source : SOURCES) {
      layer.file(OWN_MODULES + "/" + source, BaseLayer.Content.of(resource(source)));
    }
    String versions = "PYODIDE_VERSION = \"" + distribution.layout().pyodideVersion() + "\"\n";
    layer.file(OWN_MODULES + "/_pyrunr/version.py", BaseLayer.Content.of(versions.getBytes(UTF_8)));
    files = layer.build();
  }

  private static byte[] resource(String name) {
    try (InputStream in = PythonEnvironment.class.getResourceAsStream(RESOURCES + name)) {
      if (in == null) {
        throw new IllegalStateException("the executor's jar lacks " + RESOURCES + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<String> preload() {
    return preload;
  }

  /** An instance with its own files that speaks through {@code streams}; Python is not started. */
  PythonRuntime newRuntime(JobStreams streams) {
    VirtualFileSystem own =
        PythonFiles.mount(
            files, JobStreams.device(streams.stdout), JobStreams.device(streams.stderr));
    own.registerDevice(ControlDevice.PATH, streams.control);
    return PythonRuntime.unstarted(distribution, own, BootImage.MAXIMUM_PAGES);
  }
}
