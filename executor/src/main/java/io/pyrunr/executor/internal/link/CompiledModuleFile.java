package io.pyrunr.executor.internal.link;

import io.pyrunr.executor.internal.io.WholeFile;
import io.pyrunr.wasm.SideModuleCompiler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * A compiled side module on disk: an archive of its class files and of the module without its code.
 * Files appear whole or not at all, and two processes may write the same one. The archive stays
 * open: classes are read as the JVM asks for them.
 */
final class CompiledModuleFile implements SideModuleStore.ClassFiles {
  private static final String MODULE = "module.wasm";

  private final ZipFile archive;

  private CompiledModuleFile(ZipFile archive) {
    this.archive = archive;
  }

  /**
   * Opens the file.
   *
   * @return null if there is none
   * @throws IOException if it is no such archive
   */
  static CompiledModuleFile read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return null;
    }
    ZipFile archive = new ZipFile(file.toFile());
    if (archive.getEntry(MODULE) == null) {
      archive.close();
      throw new IOException("it has no " + MODULE);
    }
    return new CompiledModuleFile(archive);
  }

  static void write(Path file, SideModuleCompiler.Compiled compiled) throws IOException {
    WholeFile.write(
        file,
        target -> {
          ZipOutputStream out = new ZipOutputStream(target);
          out.setLevel(Deflater.BEST_SPEED);
          put(out, MODULE, compiled.module());
          for (Map.Entry<String, byte[]> each : compiled.classes().entrySet()) {
            put(out, entryName(each.getKey()), each.getValue());
          }
          out.finish();
        });
  }

  private static void put(ZipOutputStream out, String name, byte[] bytes) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTime(0);
    out.putNextEntry(entry);
    out.write(bytes);
    out.closeEntry();
  }

  private static String entryName(String className) {
    return className.replace('.', '/') + ".class";
  }

  /** The module without its code. */
  byte[] module() throws IOException {
    return read(MODULE);
  }

  @Override
  public byte[] classFile(String name) throws IOException {
    return read(entryName(name));
  }

  private byte[] read(String name) throws IOException {
    ZipEntry entry = archive.getEntry(name);
    if (entry == null) {
      return null;
    }
    try (InputStream in = archive.getInputStream(entry)) {
      return in.readAllBytes();
    }
  }
}
