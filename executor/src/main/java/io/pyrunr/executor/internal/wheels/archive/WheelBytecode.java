package io.pyrunr.executor.internal.wheels.archive;

import io.pyrunr.executor.internal.fs.BaseLayer;
import io.pyrunr.executor.internal.io.CacheHome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The bytecode of wheels' modules, made once and kept in the cache. Without it every job that
 * imports a module would compile it again, since nothing a job leaves behind survives.
 */
public final class WheelBytecode {
  /** Imported by nobody but test runners, and a good part of some packages. */
  private static final Pattern TESTS = Pattern.compile("(.*/)?tests?/.*");

  private static final int BATCH = 1 << 20;

  /** Raised when other bytecode is made of the same source. */
  private static final String GENERATION = "1";

  private final String pythonVersion;
  private final String sitePackages;
  private final BytecodeCompiler compiler;
  private final CacheHome cache;

  public WheelBytecode(
      String pythonVersion, String sitePackages, BytecodeCompiler compiler, CacheHome cache) {
    this.pythonVersion = pythonVersion;
    this.sitePackages = sitePackages;
    this.compiler = compiler;
    this.cache = cache;
  }

  /** A wheel's bytecode by the path of its source, made if there is none. */
  public Map<String, BaseLayer.Content> of(Wheel wheel) throws InterruptedException {
    Path file =
        cache.file(
            CacheHome.Kind.BYTECODE, wheel.sha256() + "-" + GENERATION + "-" + pythonVersion);
    Bundle known = Bundle.open(file);
    if (known != null) {
      return known.files();
    }
    Map<String, byte[]> bytecode = compile(wheel);
    try (BundleWriter writer = BundleWriter.to(file)) {
      return write(writer, bytecode);
    } catch (IOException e) {
      cache.notKept(file, e);
      Map<String, BaseLayer.Content> inMemory = new LinkedHashMap<>();
      bytecode.forEach((path, bytes) -> inMemory.put(path, BaseLayer.Content.of(bytes)));
      return inMemory;
    }
  }

  private static Map<String, BaseLayer.Content> write(
      BundleWriter writer, Map<String, byte[]> bytecode) throws IOException {
    for (Map.Entry<String, byte[]> module : bytecode.entrySet()) {
      writer.add(module.getKey(), module.getValue());
    }
    return writer.finish("").files();
  }

  private Map<String, byte[]> compile(Wheel wheel) throws InterruptedException {
    Map<String, byte[]> bytecode = new TreeMap<>();
    Map<String, byte[]> batch = new LinkedHashMap<>();
    int size = 0;
    WheelLog.LOG.info("compiling {}, once", wheel.title());
    for (Map.Entry<String, BaseLayer.Content> file : wheel.files().entrySet()) {
      String path = file.getKey();
      if (path.endsWith(".py") && !TESTS.matcher(path).matches()) {
        byte[] source = file.getValue().bytes();
        batch.put(sitePackages + "/" + path, source);
        size += source.length;
        if (size > BATCH) {
          add(batch, bytecode);
          size = 0;
        }
      }
    }
    add(batch, bytecode);
    return bytecode;
  }

  private void add(Map<String, byte[]> batch, Map<String, byte[]> bytecode)
      throws InterruptedException {
    if (!batch.isEmpty()) {
      compiler
          .compile(batch)
          .forEach((path, code) -> bytecode.put(path.substring(sitePackages.length() + 1), code));
      batch.clear();
    }
  }
}
