package io.pyrunr.executor.internal.bytecode;

import io.pyrunr.dist.PyodideDistribution;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * Run by the build: compiles the standard library with the Python it belongs to.
 *
 * <p>Upstream ships sources. A job that imports a module outside the boot image would compile it,
 * and so would the next job, since nothing a job leaves behind survives. The archive made here has
 * each module's bytecode beside its source, uncompressed, in the form zipimport takes without
 * looking at times: hash-based and unchecked (PEP 552).
 */
final class LibraryBytecode {
  private static final int MODULES_PER_JOB = 24;

  private static final String COMPILE =
      """
      import importlib.util, zipfile
      from importlib._bootstrap_external import _code_to_hash_pyc

      archive = params["archive"]
      bytecode = {}
      with zipfile.ZipFile(archive) as library:
          for name in params["names"]:
              source = library.read(name)
              try:
                  code = compile(source, archive + "/" + name, "exec", dont_inherit=True)
              except SyntaxError:
                  continue  # templates and the like, which nobody imports
              bytecode[name] = bytes(
                  _code_to_hash_pyc(code, importlib.util.source_hash(source), False))
      bytecode
      """;

  private LibraryBytecode() {}

  /** The library of {@code distribution} with bytecode, as a zip archive; the same for the same. */
  static byte[] of(PyodideDistribution distribution, String archive)
      throws IOException, InterruptedException {
    Map<String, byte[]> entries = new TreeMap<>();
    try (ZipInputStream in =
        new ZipInputStream(new ByteArrayInputStream(distribution.standardLibrary()))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        if (!entry.isDirectory()) {
          entries.put(entry.getName(), in.readAllBytes());
        }
      }
    }
    List<String> modules = entries.keySet().stream().filter(name -> name.endsWith(".py")).toList();
    entries.putAll(compile(distribution, modules, archive));
    return zip(entries);
  }

  private static Map<String, byte[]> compile(
      PyodideDistribution distribution, List<String> modules, String archive)
      throws InterruptedException {
    List<Map<String, Object>> parts = new ArrayList<>();
    for (int from = 0; from < modules.size(); from += MODULES_PER_JOB) {
      List<String> names = modules.subList(from, Math.min(modules.size(), from + MODULES_PER_JOB));
      parts.add(Map.of("archive", archive, "names", names));
    }
    Map<String, byte[]> bytecode = new TreeMap<>();
    try (BytecodeJobs jobs = new BytecodeJobs(distribution, COMPILE)) {
      jobs.run(
          parts,
          (name, code) -> bytecode.put(name + "c", code),
          failed -> {
            throw new IllegalStateException("the standard library cannot be compiled: " + failed);
          });
    }
    return bytecode;
  }

  private static byte[] zip(Map<String, byte[]> entries) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream out = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        CRC32 sum = new CRC32();
        sum.update(entry.getValue());
        ZipEntry header = new ZipEntry(entry.getKey());
        header.setMethod(ZipEntry.STORED);
        header.setTime(0);
        header.setSize(entry.getValue().length);
        header.setCrc(sum.getValue());
        out.putNextEntry(header);
        out.write(entry.getValue());
      }
    }
    return bytes.toByteArray();
  }
}
