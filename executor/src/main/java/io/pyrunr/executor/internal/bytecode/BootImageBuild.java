package io.pyrunr.executor.internal.bytecode;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.image.BootImageStore;
import io.pyrunr.executor.internal.io.BigStackThread;
import io.pyrunr.executor.internal.python.StandardLibrary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * Run by the build: leaves the standard library with its bytecode in the jar, and the image of a
 * Python started in the plain environment.
 */
public final class BootImageBuild {
  private BootImageBuild() {}

  /**
   * Makes both unless what is there is up to date.
   *
   * @param arguments the image's file; the library goes to its folder
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    PyodideDistribution distribution = PyodideDistribution.bundled();
    Path image = Path.of(arguments[0]);
    compileLibrary(image.getParent(), distribution);
    BigStackThread.run(() -> make(image, distribution), "boot-image");
  }

  private static void compileLibrary(Path folder, PyodideDistribution distribution)
      throws IOException, InterruptedException {
    if (!StandardLibrary.isCurrent(folder, distribution)) {
      StandardLibrary.delete(folder);
      byte[] archive = LibraryBytecode.of(distribution, StandardLibrary.path(distribution));
      StandardLibrary.write(folder, archive, distribution);
    }
  }

  private static void make(Path image, PyodideDistribution distribution) {
    try {
      BootImageStore.makeBundled(image, distribution);
    } catch (IOException e) {
      throw new UncheckedIOException(image + " cannot be written", e);
    }
  }
}
