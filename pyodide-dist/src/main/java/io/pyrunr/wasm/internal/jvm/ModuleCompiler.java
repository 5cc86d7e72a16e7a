package io.pyrunr.wasm.internal.jvm;

import com.dylibso.chicory.wasm.WasmModule;
import io.pyrunr.wasm.types.Signature;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
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
    Map<String, byte[]> classes = new TreeMap<>();
    ChicoryBackend.compile(module, className, FUNCTIONS_PER_CLASS)
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
}
