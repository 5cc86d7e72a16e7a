package io.pyrunr.executor.internal.interpreter;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.runtime.PythonFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
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
   * @param arguments the image's file and the library's, both below the class path's first folder
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path image = Path.of(arguments[0]);
    Path library = Path.of(arguments[1]);
    compileLibrary(library);
    Throwable[] failure = new Throwable[1];
    Thread thread = InterpreterFactory.bigStackThread(() -> make(image), "boot-image");
    thread.setUncaughtExceptionHandler((t, e) -> failure[0] = e);
    thread.start();
    thread.join();
    if (failure[0] != null) {
      throw new IllegalStateException("the boot image cannot be made", failure[0]);
    }
  }

  private static void compileLibrary(Path library) throws IOException, InterruptedException {
    PyodideDistribution distribution = PyodideDistribution.bundled();
    byte[] upstream = distribution.standardLibrary();
    Path source = library.resolveSibling(library.getFileName() + ".source");
    if (Files.exists(library)
        && Files.exists(source)
        && Files.readString(source).equals(sha256(upstream))) {
      return;
    }
    Files.deleteIfExists(library);
    byte[] archive = LibraryBytecode.of(distribution, PythonFiles.libraryArchive(distribution));
    Files.createDirectories(library.getParent());
    Files.write(library, archive);
    Files.writeString(source, sha256(upstream));
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
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
