package io.pyrunr.executor.internal.wheels.archive;

import io.pyrunr.dist.Layout;
import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.packaging.BadPackagingException;
import io.pyrunr.executor.internal.packaging.MarkerEnvironment;
import io.pyrunr.executor.internal.packaging.PackageVersion;
import io.pyrunr.executor.internal.packaging.SupportedTags;
import java.util.function.Supplier;

/**
 * What a wheel must fit: the Python and the ABI of one Pyodide. Everything is derived from its
 * layout and its lock file, which are read when they are first needed: a process without wheels
 * does not wait for that. Thread-safe.
 */
public final class WheelPlatform {
  private record Details(
      PackageVersion pythonVersion,
      SupportedTags tags,
      MarkerEnvironment markers,
      PackageLock lock) {}

  private final Supplier<Layout> layout;
  private final Supplier<byte[]> lockFile;
  private Details details;

  /** What fits a distribution. */
  public static WheelPlatform of(PyodideDistribution distribution) {
    return new WheelPlatform(distribution::layout, distribution::lockFile);
  }

  public WheelPlatform(Supplier<Layout> layout, Supplier<byte[]> lockFile) {
    this.layout = layout;
    this.lockFile = lockFile;
  }

  private synchronized Details details() {
    if (details == null) {
      Layout of = layout.get();
      PackageLock lock = new PackageLock(lockFile.get());
      String machine = lock.info("arch");
      String emscripten = lock.info("platform");
      String release = emscripten.substring(emscripten.indexOf('_') + 1).replace('_', '.');
      String abi = of.abi().substring(of.abi().indexOf('_') + 1);
      details =
          new Details(
              version(of.pythonVersion()),
              new SupportedTags(of.pythonVersion(), abi, emscripten, machine),
              new MarkerEnvironment(of.pythonVersion(), release, machine),
              lock);
    }
    return details;
  }

  private static PackageVersion version(String text) {
    try {
      return PackageVersion.parse(text);
    } catch (BadPackagingException e) {
      throw new IllegalStateException("Python's own version cannot be read", e);
    }
  }

  /** Such as {@code 3.13.2}. */
  public PackageVersion pythonVersion() {
    return details().pythonVersion;
  }

  /** Such as {@code 3.13}. */
  public String pythonMinor() {
    String[] numbers = pythonVersion().toString().split("\\.", -1);
    return numbers[0] + "." + numbers[1];
  }

  public SupportedTags tags() {
    return details().tags;
  }

  public MarkerEnvironment markers() {
    return details().markers;
  }

  /** Upstream's packages. */
  public PackageLock lock() {
    return details().lock;
  }
}
