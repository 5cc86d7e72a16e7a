package io.pyrunr.wasm.jvm;

import com.dylibso.chicory.compiler.InterpreterFallback;
import com.dylibso.chicory.compiler.internal.ClassCollector;
import com.dylibso.chicory.compiler.internal.Compiler;
import com.dylibso.chicory.wasm.WasmModule;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Type;

/**
 * Compiles a wasm module to JVM classes with Chicory's compiler, linked to {@link
 * io.pyrunr.wasm.runtime.LinearMemory} and {@link io.pyrunr.wasm.runtime.CompiledSupport}.
 *
 * <p>Calls through the table are virtual calls of {@link io.pyrunr.wasm.runtime.TableEntry}
 * objects, so the table's instances must be {@link io.pyrunr.wasm.runtime.FunctionTable}s.
 *
 * <p>No function is left to the interpreter: one that is too large for a JVM method fails the
 * compilation. Output is the same for the same input.
 */
public final class ModuleCompiler {
  private static final String GROUP = "FuncGroup_";

  /**
   * A class is read and verified whole when its first function is called. Neighbours in a module
   * are used together, so small classes keep most of the code out of a start that does not need it.
   */
  private static final int FUNCTIONS_PER_CLASS = 16;

  private ModuleCompiler() {}

  /**
   * The outcome.
   *
   * @param classes class files by binary name, sorted; those of {@link Signature}s included
   * @param functionsPerClass how many functions' methods are in one class, in order of index
   */
  public record Compiled(Map<String, byte[]> classes, int functionsPerClass) {}

  /** Compiles a module that imports nothing from another one. */
  public static Compiled compile(
      WasmModule module, String className, Map<Integer, GlobalRegister> registers) {
    return compile(module, className, registers, null);
  }

  /**
   * Compiles {@code module}.
   *
   * @param className binary name of the class that implements Chicory's {@code Machine}
   * @param registers which globals live in fields of the memory, by global index
   * @param main whose exported functions are called directly where this module imports them, or
   *     null; {@link io.pyrunr.wasm.runtime.LinearMemory#main} has to be its instance
   * @throws com.dylibso.chicory.wasm.ChicoryException if a function does not fit a JVM method
   */
  public static Compiled compile(
      WasmModule module,
      String className,
      Map<Integer, GlobalRegister> registers,
      MainModule main) {
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
        .forEach(
            (name, bytes) ->
                classes.put(name.replace('/', '.'), finish(bytes, module, registers, main)));
    int functionsPerClass = functionsPerClass(classes, className);
    classes.putAll(
        EntryClasses.of(
            module, className, function -> owner(className, function, functionsPerClass)));
    return new Compiled(classes, functionsPerClass);
  }

  /** Internal name of the class that has the method of {@code function}. */
  static String owner(String className, int function, int functionsPerClass) {
    return className.replace('.', '/') + GROUP + function / functionsPerClass;
  }

  /** Where Chicory began a second class, having halved its own maximum until classes fit. */
  private static int functionsPerClass(Map<String, byte[]> classes, String className) {
    byte[] second = classes.get(className + GROUP + 1);
    if (second == null) {
      return Integer.MAX_VALUE;
    }
    return MethodSizes.of(second).keySet().stream()
        .filter(method -> method.startsWith("func_"))
        .mapToInt(method -> Integer.parseInt(method.substring(5, method.indexOf('('))))
        .min()
        .orElseThrow();
  }

  private static byte[] finish(
      byte[] classFile,
      WasmModule module,
      Map<Integer, GlobalRegister> registers,
      MainModule main) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(0);
    ClassVisitor linked =
        new DirectImports(
            new TableCalls(new BytecodePeephole(writer, registers), module), module, main);
    reader.accept(new MemoryLink(linked), 0);
    return writer.toByteArray();
  }

  /** The bytes of a class that is on the class path. */
  static byte[] classFile(Class<?> type) {
    try (InputStream in = type.getResourceAsStream("/" + Type.getInternalName(type) + ".class")) {
      if (in == null) {
        throw new IllegalStateException("no class file for " + type);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
      return classFile(type);
    }
  }
}
