package io.pyrunr.executor.internal.interpreter;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Run by the build: starts Python in the plain environment and leaves its image in the jar. */
public final class BootImageBuild {
  private BootImageBuild() {}

  /**
   * Makes the image unless the one that is there is up to date.
   *
   * @param arguments the file to write
   */
  public static void main(String[] arguments) throws InterruptedException {
    Path file = Path.of(arguments[0]);
    Throwable[] failure = new Throwable[1];
    Thread thread = InterpreterFactory.bigStackThread(() -> make(file), "boot-image");
    thread.setUncaughtExceptionHandler((t, e) -> failure[0] = e);
    thread.start();
    thread.join();
    if (failure[0] != null) {
      throw new IllegalStateException("the boot image cannot be made", failure[0]);
    }
  }

  private static void make(Path file) {
    PythonEnvironment environment = new PythonEnvironment(List.of(), List.of());
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
