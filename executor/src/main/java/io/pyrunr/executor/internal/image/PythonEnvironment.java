package io.pyrunr.executor.internal.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.device.ControlDevice;
import io.pyrunr.executor.internal.device.JobStreams;
import io.pyrunr.executor.internal.device.WheelDevice;
import io.pyrunr.executor.internal.emscripten.Surroundings;
import io.pyrunr.executor.internal.fs.BaseLayer;
import io.pyrunr.executor.internal.fs.VirtualFileSystem;
import io.pyrunr.executor.internal.io.Digests;
import io.pyrunr.executor.internal.link.SideModule;
import io.pyrunr.executor.internal.link.SideModuleStore;
import io.pyrunr.executor.internal.python.PythonFiles;
import io.pyrunr.executor.internal.python.PythonInstance;
import io.pyrunr.executor.internal.python.StandardLibrary;
import io.pyrunr.executor.internal.wheels.SideModuleFile;
import io.pyrunr.executor.internal.wheels.WheelSet;
import io.pyrunr.executor.internal.wheels.archive.BytecodeCompiler;
import io.pyrunr.wasm.format.WasmFormatException;
import io.pyrunr.wasm.runtime.LinearMemory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What interpreters of one kind have in common: a distribution, the files below every job's own,
 * and modules imported in advance. Immutable and thread-safe.
 */
public final class PythonEnvironment {
  /** Where our own Python modules are; first on {@code sys.path}. */
  static final String OWN_MODULES = "/lib/pyrunr";

  private static final String RESOURCES = "/io/pyrunr/executor/python/";

  /** Our modules below {@link #RESOURCES}. A jar's entries cannot be listed reliably. */
  private static final List<String> SOURCES =
      List.of(
          "_pyrunr/__init__.py",
          "_pyrunr/bootstrap.py",
          "_pyrunr/entropy.py",
          "_pyrunr/errors.py",
          "_pyrunr/evaluator.py",
          "_pyrunr/event_loop.py",
          "_pyrunr/imports.py",
          "_pyrunr/lifecycle.py",
          "_pyrunr/stopped.py",
          "_pyrunr/values.py",
          "_pyrunr/wheels.py",
          "micropip/__init__.py",
          "pyodide/__init__.py",
          "pyodide/code.py",
          "pyodide/ffi.py",
          "pyrunr.py");

  private final PyodideDistribution distribution;
  private final WheelSet wheels;
  private final BaseLayer files;
  private final SideModuleStore sideModules;
  private final List<String> preload;
  private final boolean plain;
  private final byte[] plainFingerprint;
  private final byte[] fingerprint;

  /** Unpacks and compiles what the wheels hold, unless that was done before. */
  PythonEnvironment(
      PyodideDistribution distribution,
      WheelSet wheels,
      List<String> preload,
      Supplier<? extends BytecodeCompiler> compilers) {
    this.distribution = distribution;
    this.wheels = wheels;
    this.preload = List.copyOf(preload);
    sideModules = new SideModuleStore(distribution, wheels.cache());
    BaseLayer.Builder layer = PythonFiles.base(distribution);
    if (!wheels.isEmpty()) {
      add(wheels, layer, compilers);
      compile(wheels, sideModules);
    }
    for (String source : SOURCES) {
      layer.file(OWN_MODULES + "/" + source, BaseLayer.Content.of(resource(source)));
    }
    String versions = "PYODIDE_VERSION = \"" + distribution.layout().pyodideVersion() + "\"\n";
    layer.file(OWN_MODULES + "/_pyrunr/version.py", BaseLayer.Content.of(versions.getBytes(UTF_8)));
    files = layer.build();
    plainFingerprint = plainFingerprint(distribution);
    plain = wheels.isEmpty() && preload.isEmpty();
    fingerprint = plain ? plainFingerprint : fingerprint(plainFingerprint, wheels, preload);
  }

  private static void add(
      WheelSet wheels, BaseLayer.Builder layer, Supplier<? extends BytecodeCompiler> compilers) {
    try (BytecodeCompiler compiler = compilers.get()) {
      for (String conflict : wheels.addTo(layer, compiler)) {
        log().warn(conflict);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while wheels were compiled", e);
    }
  }

  /**
   * Compiles what no process has compiled before, side by side: a job that imports it should not
   * have to wait. A module that cannot be compiled fails when it is imported.
   */
  private static void compile(WheelSet wheels, SideModuleStore target) {
    List<SideModuleFile> missing =
        wheels.sideModules().stream().filter(module -> !target.has(module.content())).toList();
    missing.stream()
        .collect(groupingBy(SideModuleFile::wheel, TreeMap::new, counting()))
        .forEach(
            (wheel, count) ->
                log().info("compiling the WebAssembly of {} once, modules: {}", wheel, count));
    missing.parallelStream().forEach(module -> compile(module, target));
  }

  /** Looked up when there is something to say: a start without wheels loads no logging. */
  private static Logger log() {
    return LoggerFactory.getLogger(PythonEnvironment.class);
  }

  private static void compile(SideModuleFile module, SideModuleStore target) {
    try {
      SideModule unused = target.of(module.content());
    } catch (WasmFormatException e) {
      log()
          .warn(
              "{} of {} cannot be used: {}; importing it will fail",
              module.paths().get(0),
              module.wheel(),
              e.getMessage());
    }
  }

  /** The wheels in these files. */
  public WheelSet wheels() {
    return wheels;
  }

  /** Whether there are neither wheels nor modules to import in advance. */
  boolean isPlain() {
    return plain;
  }

  /** A SHA-256 of all that decides what a started Python's memory looks like. */
  byte[] fingerprint() {
    return fingerprint.clone();
  }

  /** The fingerprint of the plain environment of the same distribution. */
  byte[] plainFingerprint() {
    return plainFingerprint.clone();
  }

  /** Module and layout, standard library, our sources, the classes that set up the host. */
  private static byte[] plainFingerprint(PyodideDistribution distribution) {
    MessageDigest digest = Digests.of("SHA-256");
    digest.update(distribution.layout().toString().getBytes(UTF_8));
    digest.update(StandardLibrary.of(distribution).fingerprint().getBytes(UTF_8));
    for (String source : SOURCES) {
      digest.update(resource(source));
    }
    for (Class<?> host : List.of(PythonFiles.class, PythonStarter.class)) {
      digest.update(resource(host, host.getSimpleName() + ".class"));
    }
    return digest.digest();
  }

  private static byte[] fingerprint(byte[] plain, WheelSet wheels, List<String> preload) {
    MessageDigest digest = Digests.of("SHA-256");
    digest.update(plain);
    digest.update(wheels.fingerprint().getBytes(UTF_8));
    digest.update(preload.toString().getBytes(UTF_8));
    return digest.digest();
  }

  private static byte[] resource(String name) {
    return resource(PythonEnvironment.class, RESOURCES + name);
  }

  private static byte[] resource(Class<?> beside, String name) {
    try (InputStream in = beside.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(
            "the resource " + name + " is missing beside " + beside.getName());
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
  PythonInstance newInstance(JobStreams streams, Surroundings surroundings) {
    return new PythonInstance(
        distribution, mount(streams), sideModules, BootImage.MAXIMUM_PAGES, surroundings);
  }

  /** One to load an image of this environment into. */
  public PythonInstance newInstance(JobStreams streams, BootImage image) {
    return new PythonInstance(
        distribution,
        mount(streams),
        sideModules,
        new LinearMemory(image.state().memory(), BootImage.MAXIMUM_PAGES),
        Surroundings.real());
  }

  private VirtualFileSystem mount(JobStreams streams) {
    VirtualFileSystem own =
        PythonFiles.mount(
            files, JobStreams.device(streams.stdout), JobStreams.device(streams.stderr));
    own.host().registerDevice(ControlDevice.PATH, streams.control);
    streams.wheels.connect(wheels);
    own.host().registerDevice(WheelDevice.PATH, streams.wheels);
    return own;
  }
}
