package io.pyrunr.executor.internal.wheels;

import io.pyrunr.dist.Layout;
import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.packaging.BadPackagingException;
import io.pyrunr.executor.internal.packaging.MarkerEnvironment;
import io.pyrunr.executor.internal.packaging.PackageVersion;
import io.pyrunr.executor.internal.packaging.SupportedTags;

/**
 * What a wheel must fit: the Python and the ABI of one Pyodide. Everything is derived from its
 * layout and its lock file, which is read when it is first needed: a process without wheels does
 * not wait for that. Thread-safe.
 */
final class WheelPlatform {
  private record Details(SupportedTags tags, MarkerEnvironment markers, PackageLock lock) {}

  private final PyodideDistribution distribution;
  private final PackageVersion pythonVersion;
  private Details details;

  WheelPlatform(PyodideDistribution distribution) {
    this.distribution = distribution;
    try {
      pythonVersion = PackageVersion.parse(distribution.layout().pythonVersion());
    } catch (BadPackagingException e) {
      throw new IllegalStateException("Python's own version cannot be read", e);
    }
  }

  private synchronized Details details() {
    if (details == null) {
      Layout layout = distribution.layout();
      PackageLock lock = new PackageLock(distribution.lockFile());
      String machine = lock.info("arch");
      String emscripten = lock.info("platform");
      String release = emscripten.substring(emscripten.indexOf('_') + 1).replace('_', '.');
      String abi = layout.abi().substring(layout.abi().indexOf('_') + 1);
      details =
          new Details(
              new SupportedTags(layout.pythonVersion(), abi, emscripten, machine),
              new MarkerEnvironment(layout.pythonVersion(), release, machine),
              lock);
    }
    return details;
  }

  /** Such as {@code 3.13.2}. */
  PackageVersion pythonVersion() {
    return pythonVersion;
  }

  /** Such as {@code 3.13}. */
  String pythonMinor() {
    String[] numbers = pythonVersion.toString().split("\\.", -1);
    return numbers[0] + "." + numbers[1];
  }

  SupportedTags tags() {
    return details().tags;
  }

  MarkerEnvironment markers() {
    return details().markers;
  }

  /** Upstream's packages. */
  PackageLock lock() {
    return details().lock;
  }
}
