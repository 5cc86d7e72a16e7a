package io.pyrunr.executor;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.interpreter.ModuleBytecode;
import io.pyrunr.executor.internal.runtime.SideModule;
import io.pyrunr.executor.internal.runtime.SideModules;
import io.pyrunr.executor.internal.runtime.UndefinedSymbols;
import io.pyrunr.executor.internal.wheels.CodeCompiler;
import io.pyrunr.executor.internal.wheels.SideModuleFile;
import io.pyrunr.executor.internal.wheels.WheelDownload;
import io.pyrunr.executor.internal.wheels.WheelFolders;
import io.pyrunr.executor.internal.wheels.WheelReport;
import io.pyrunr.wasm.ir.WasmFormatException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Folders of wheels, for those who look after them. Jobs get to see what is in them through {@link
 * PythonExecutor.Builder#wheelCache}.
 *
 * <p>A wheel is usable if its tags fit, its contents agree with its {@code RECORD} and, for
 * WebAssembly, with Pyodide's lock file, and nothing in it is dangerous. Of each package one
 * version is chosen: the highest that the others can live with and that {@code pyrunr.lock} or
 * {@code requirements.txt} in the folder allow.
 *
 * <p>Thread-safe. Every call looks at the folders anew.
 */
public final class WheelCache {
  private final List<Path> folders;

  private WheelCache(List<Path> folders) {
    this.folders = List.copyOf(folders);
  }

  /** The wheels in some folders; a package in an earlier folder wins. */
  public static WheelCache of(List<Path> folders) {
    if (folders.isEmpty()) {
      throw new IllegalArgumentException("no folder is given; a wheel cache has at least one");
    }
    return new WheelCache(folders);
  }

  /**
   * A wheel in the cache.
   *
   * @param file the wheel
   * @param name normalised name of the package, or null if the file name does not tell
   * @param version of the package, or null likewise
   * @param problem why it cannot be used and what to do, or null if it can
   * @param chosen whether it is the version that jobs see by default
   * @param requires what it needs here, extras left out
   * @param missing those of its requirements that no chosen wheel meets, each with why and what to
   *     do
   * @param unpackedBytes of its files, 0 if it cannot be used
   * @param compiledBytes of what was compiled ahead, 0 before it was
   */
  public record Entry(
      Path file,
      String name,
      String version,
      String problem,
      boolean chosen,
      List<String> requires,
      List<String> missing,
      long unpackedBytes,
      long compiledBytes) {

    public boolean usable() {
      return problem == null;
    }
  }

  /**
   * What the cache holds.
   *
   * @param wheels all of them, by file
   * @param problems with the choice among them, such as pins that nothing meets; one line each
   */
  public record Contents(List<Entry> wheels, List<String> problems) {

    /** Whether every wheel can be used and has all it needs. */
    public boolean sound() {
      return problems.isEmpty() && wheels.stream().allMatch(WheelCache::sound);
    }
  }

  private static boolean sound(Entry wheel) {
    return wheel.usable() && wheel.missing().isEmpty();
  }

  /**
   * Checks all wheels, without compiling them.
   *
   * @throws IllegalArgumentException if a folder cannot be read
   */
  public Contents list() {
    return report().contents();
  }

  /**
   * Checks all wheels and compiles what jobs would otherwise wait for, which takes a while the
   * first time.
   *
   * @throws IllegalArgumentException if a folder cannot be read
   * @throws InterruptedException if the thread is interrupted; what was compiled is kept
   */
  public Contents check() throws InterruptedException {
    try (ModuleBytecode bytecode = new ModuleBytecode()) {
      return report().compiled(new Compilers(bytecode));
    }
  }

  private record Compilers(ModuleBytecode bytecode) implements CodeCompiler {
    @Override
    public Map<String, byte[]> compile(Map<String, byte[]> sources) throws InterruptedException {
      return bytecode.compile(sources);
    }

    @Override
    public long compile(SideModuleFile module) {
      SideModules modules = new SideModules(module.classes());
      try {
        return modules.compiledBytes(module.content());
      } catch (WasmFormatException e) {
        throw new IllegalArgumentException(e.getMessage(), e);
      }
    }

    @Override
    public Map<SideModuleFile, List<String>> undefined(List<SideModuleFile> files) {
      Map<SideModuleFile, SideModule> modules = new LinkedHashMap<>();
      Set<String> names = new HashSet<>();
      for (SideModuleFile file : files) {
        names.add(file.name());
        try {
          modules.put(file, new SideModules(file.classes()).of(file.content()));
        } catch (WasmFormatException e) {
          // That it cannot be compiled has been told.
        }
      }
      UndefinedSymbols symbols = new UndefinedSymbols(modules.values(), names);
      Map<SideModuleFile, List<String>> undefined = new LinkedHashMap<>();
      modules.forEach(
          (file, module) -> {
            List<String> lacking = symbols.of(module);
            if (!lacking.isEmpty()) {
              undefined.put(file, lacking);
            }
          });
      return undefined;
    }
  }

  private WheelReport report() {
    return new WheelReport(new WheelFolders(folders));
  }

  /**
   * Writes {@code pyrunr.lock} into the first folder: the chosen version and the SHA-256 of every
   * package. From then on only these wheels are chosen, whatever else comes; pins of an earlier
   * lock are kept. The format is that of pip's requirements.
   *
   * @return the file
   * @throws IllegalArgumentException if a folder cannot be read, or holds nothing to lock
   * @throws IOException if the file cannot be written
   */
  public Path lock() throws IOException {
    return report().lock(folders.get(0));
  }

  /**
   * Puts packages that were built for this Pyodide into the first folder, with all they need, each
   * compared with the SHA-256 in Pyodide's lock file.
   *
   * @param names of packages
   * @param from an {@code http} or {@code https} address with the files below it, or a folder
   * @param progress told of each file, in words
   * @return the files, those that were there already included
   * @throws IllegalArgumentException if the lock file lacks a name, or the address is none
   * @throws IOException if a file cannot be had or is not the right one; those before it stay
   */
  public List<Path> add(List<String> names, String from, Consumer<String> progress)
      throws IOException, InterruptedException {
    return new WheelDownload(PyodideDistribution.bundled(), from, progress)
        .to(folders.get(0), names);
  }
}
