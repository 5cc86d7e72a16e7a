package io.pyrunr.wasm.internal.jvm;

import com.dylibso.chicory.compiler.InterpreterFallback;
import com.dylibso.chicory.compiler.internal.ClassCollector;
import com.dylibso.chicory.compiler.internal.Compiler;
import com.dylibso.chicory.wasm.WasmModule;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The one place that knows Chicory's own compiler. Its package is internal to Chicory, so what is
 * asked of it is little: class files of a module, nothing left to the interpreter.
 */
public final class ChicoryBackend {
  private ChicoryBackend() {}

  /**
   * Tells one compiler from another, wherever it is installed: a SHA-256 over its class files'
   * archive.
   */
  public static String version() throws IOException {
    try {
      Path archive =
          Path.of(Compiler.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(archive)));
    } catch (URISyntaxException | NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Compiles a module.
   *
   * @param className binary name of the class that implements Chicory's {@code Machine}
   * @param functionsPerClass the most functions whose methods share a class
   * @return class files by internal name
   * @throws com.dylibso.chicory.wasm.ChicoryException if a function does not fit a JVM method
   */
  static Map<String, byte[]> compile(WasmModule module, String className, int functionsPerClass) {
    return Compiler.builder(module)
        .withClassName(className)
        .withMaxFunctionsPerClass(functionsPerClass)
        .withInterpreterFallback(InterpreterFallback.FAIL)
        .withClassCollectorFactory(Collector::new)
        .build()
        .compile()
        .classBytes();
  }

  /** Keeps class files as they are. */
  private static final class Collector implements ClassCollector {
    private final Map<String, byte[]> classes = new LinkedHashMap<>();
    private String mainClass;

    @Override
    public String mainClassName() {
      return mainClass;
    }

    @Override
    public void putMainClass(String className, byte[] bytes) {
      mainClass = className;
      classes.put(className, bytes);
    }

    @Override
    public void put(String name, byte[] bytes) {
      classes.put(name, bytes);
    }

    @Override
    public void putAll(ClassCollector collector) {
      classes.putAll(collector.classBytes());
    }

    @Override
    public Map<String, byte[]> classBytes() {
      return Collections.unmodifiableMap(classes);
    }

    @Override
    public byte[] resolve(Class<?> type) {
      return ModuleCompiler.classFile(type);
    }
  }
}
