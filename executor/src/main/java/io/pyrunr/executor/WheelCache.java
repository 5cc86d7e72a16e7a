package io.pyrunr.executor;

import static java.util.Objects.requireNonNull;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.bytecode.WheelCompiler;
import io.pyrunr.executor.internal.io.CacheHome;
import io.pyrunr.executor.internal.wheels.FolderReport;
import io.pyrunr.executor.internal.wheels.WheelDownload;
import io.pyrunr.executor.internal.wheels.WheelFolders;
import io.pyrunr.executor.internal.wheels.archive.WheelPlatform;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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
  private final PyodideDistribution distribution = PyodideDistribution.bundled();
  private final List<Path> folders;
  private final Path cache;

  private WheelCache(List<Path> folders, Path cache) {
    this.folders = List.copyOf(folders);
    this.cache = cache;
  }

  /** The wheels in some folders; a package in an earlier folder wins. */
  public static WheelCache of(List<Path> folders) {
    if (folders.isEmpty()) {
      throw new IllegalArgumentException("no folder is given; a wheel cache has at least one");
    }
    return new WheelCache(folders, null);
  }

  /** The same folders, with another place for what is made of the wheels: that of an executor. */
  public WheelCache withCache(Path folder) {
    return new WheelCache(folders, requireNonNull(folder, "folder"));
  }

  private CacheHome home() {
    return cache == null ? CacheHome.usual() : CacheHome.at(cache);
  }

  /**
   * Where what is made of wheels is kept, see {@link PythonExecutor.Builder#cache}; empty if this
   * user has no place for it.
   */
  public Optional<Path> cacheFolder() {
    return Optional.ofNullable(home().place());
  }

  /** What is kept there takes so many bytes, that of other folders' wheels included. */
  public long cacheBytes() {
    return home().size();
  }

  /**
   * Checks all wheels, without compiling them.
   *
   * @throws IllegalArgumentException if a folder cannot be read, or others can write to the cache
   */
  public WheelReport list() {
    return report().contents();
  }

  /**
   * Checks all wheels and compiles what jobs would otherwise wait for, which takes a while the
   * first time.
   *
   * @throws IllegalArgumentException if a folder cannot be read, or others can write to the cache
   * @throws InterruptedException if the thread is interrupted; what was compiled is kept
   */
  public WheelReport check() throws InterruptedException {
    try (var compiler = new WheelCompiler(distribution, home())) {
      return report().compiled(compiler);
    }
  }

  private FolderReport report() {
    return new FolderReport(new WheelFolders(folders, home(), WheelPlatform.of(distribution)));
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
    return new WheelDownload(distribution, from, progress).to(folders.get(0), names);
  }
}
