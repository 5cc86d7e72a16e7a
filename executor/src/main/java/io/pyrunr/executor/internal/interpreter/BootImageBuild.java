package io.pyrunr.executor.internal.interpreter;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.runtime.StandardLibrary;
import io.pyrunr.executor.internal.wheels.WheelSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

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
    Path image = Path.of(arguments[0]);
    compileLibrary(image.getParent());
    Throwable[] failure = new Throwable[1];
    Thread thread = InterpreterFactory.bigStackThread(() -> make(image), "boot-image");
    thread.setUncaughtExceptionHandler((t, e) -> failure[0] = e);
    thread.start();
    thread.join();
    if (failure[0] != null) {
      throw new IllegalStateException("the boot image cannot be made", failure[0]);
    }
  }

  private static void compileLibrary(Path folder) throws IOException, InterruptedException {
    PyodideDistribution distribution = PyodideDistribution.bundled();
    if (!StandardLibrary.isCurrent(folder, distribution)) {
      StandardLibrary.delete(folder);
      byte[] archive = LibraryBytecode.of(distribution, StandardLibrary.path(distribution));
      StandardLibrary.write(folder, archive, distribution);
    }
  }

  private static void make(Path file) {
    PythonEnvironment environment = new PythonEnvironment(WheelSet.none(), List.of());
    BootImageStore store = new BootImageStore(environment);
    if (store.stored(file) == null) {
      try {
        BootImageFile.write(file, store.make(), environment.fingerprint());
      } catch (IOException e) {
        throw new IllegalStateException(file + " cannot be written", e);
      }
    }
  }
}
