package io.pyrunr.wasm.jvm;

import com.dylibso.chicory.compiler.InterpreterFallback;
import com.dylibso.chicory.compiler.internal.ClassCollector;
import com.dylibso.chicory.compiler.internal.Compiler;
import com.dylibso.chicory.compiler.internal.Shaded;
import com.dylibso.chicory.wasm.WasmModule;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;

/**
 * Compiles a wasm module to JVM classes with Chicory's compiler, linked to {@link
 * io.pyrunr.wasm.runtime.LinearMemory} and {@link io.pyrunr.wasm.runtime.CompiledSupport}.
 *
 * <p>No function is left to the interpreter: one that is too large for a JVM method fails the
 * compilation. Output is the same for the same input.
 */
public final class ModuleCompiler {
  /**
   * A class is read and verified whole when its first function is called. Neighbours in a module
   * are used together, so small classes keep most of the code out of a start that does not need it.
   */
  private static final int FUNCTIONS_PER_CLASS = 16;

  private ModuleCompiler() {}

  /**
   * Compiles {@code module}.
   *
   * @param className binary name of the class that implements Chicory's {@code Machine}
   * @param registers which globals live in fields of the memory, by global index
   * @return class files by binary name, sorted
   * @throws com.dylibso.chicory.wasm.ChicoryException if a function does not fit a JVM method
   */
  public static Map<String, byte[]> compile(
      WasmModule module, String className, Map<Integer, GlobalRegister> registers) {
    var result =
        Compiler.builder(module)
            .withClassName(className)
            .withMaxFunctionsPerClass(FUNCTIONS_PER_CLASS)
            .withInterpreterFallback(InterpreterFallback.FAIL)
            .withClassCollectorFactory(Collector::new)
            .build()
            .compile();
    Map<String, byte[]> classes = new TreeMap<>();
    result
        .classBytes()
        .forEach((name, bytes) -> classes.put(name.replace('/', '.'), finish(bytes, registers)));
    return classes;
  }

  private static byte[] finish(byte[] classFile, Map<Integer, GlobalRegister> registers) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(0);
    reader.accept(new MemoryLink(new BytecodePeephole(writer, registers)), 0);
    return writer.toByteArray();
  }

  /** Keeps class files as they are; hands out our support class where Chicory's is asked for. */
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
      return type == Shaded.class ? SupportClass.bytes(type) : SupportClass.classFile(type);
    }
  }
}
