package io.pyrunr.wasm.internal.jvm;

import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.Element;
import com.dylibso.chicory.wasm.types.Export;
import com.dylibso.chicory.wasm.types.ExternalType;
import com.dylibso.chicory.wasm.types.FunctionImport;
import com.dylibso.chicory.wasm.types.FunctionType;
import com.dylibso.chicory.wasm.types.Instruction;
import com.dylibso.chicory.wasm.types.OpCode;
import io.pyrunr.wasm.runtime.LinearMemory;
import io.pyrunr.wasm.runtime.ModuleEntries;
import io.pyrunr.wasm.runtime.TableEntry;
import io.pyrunr.wasm.types.Signature;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Generates a module's table entries: classes that each dispatch to up to {@link #CHUNK} functions
 * of one type, and the {@link ModuleEntries} that knows which function is whose.
 */
public final class EntryClasses {
  static final String INSTANCE = Signature.INSTANCE;

  /** Functions per class: their dispatch is a method of 1 KB, which the JIT compilers like. */
  private static final int CHUNK = 128;

  /** Functions whose encoding fits one string constant, in the worst case of three bytes each. */
  private static final int FUNCTIONS_PER_STRING = 10_000;

  private static final String MEMORY = Type.getDescriptor(LinearMemory.class);
  private static final String ENTRY = Type.getInternalName(TableEntry.class);
  private static final String ENTRIES = Type.getInternalName(ModuleEntries.class);
  private static final String CONSTRUCTOR = "(" + INSTANCE + "II)V";
  private static final String MAKE = "(I" + INSTANCE + "II)L" + ENTRY + ";";

  private final WasmModule module;
  private final String machine;
  private final IntFunction<String> owner;
  private final List<FunctionType> types = new ArrayList<>();
  private final Map<String, byte[]> classes = new TreeMap<>();
  private final List<String> chunks = new ArrayList<>();
  private final int imported;

  private EntryClasses(WasmModule module, String machine, IntFunction<String> owner) {
    this.module = module;
    this.machine = machine.replace('.', '/');
    this.owner = owner;
    for (int i = 0; i < module.importSection().importCount(); i++) {
      if (module.importSection().getImport(i) instanceof FunctionImport function) {
        types.add(module.typeSection().getType(function.typeIndex()));
      }
    }
    imported = types.size();
    for (int i = 0; i < module.functionSection().functionCount(); i++) {
      types.add(module.functionSection().getFunctionType(i, module.typeSection()));
    }
  }

  /**
   * Generates the classes.
   *
   * @param machine binary name of the module's machine class
   * @param owner internal name of the class that has a function's method
   * @return class files by binary name, those of the {@linkplain Signature signatures} included
   */
  static Map<String, byte[]> of(WasmModule module, String machine, IntFunction<String> owner) {
    EntryClasses generator = new EntryClasses(module, machine, owner);
    generator.generate();
    return generator.classes;
  }

  private void generate() {
    Map<Signature, List<Integer>> bySignature =
        new TreeMap<>(java.util.Comparator.comparing(Signature::className));
    for (int function : tableFunctions()) {
      bySignature
          .computeIfAbsent(Signature.of(types.get(function)), signature -> new ArrayList<>())
          .add(function);
    }
    char[] encoded = new char[2 * types.size()];
    bySignature.forEach(
        (signature, functions) -> {
          classes.put(signature.className(), signature.classFile());
          for (int from = 0; from < functions.size(); from += CHUNK) {
            List<Integer> chunk = functions.subList(from, Math.min(from + CHUNK, functions.size()));
            for (int slot = 0; slot < chunk.size(); slot++) {
              encoded[2 * chunk.get(slot)] = (char) (chunks.size() + 1);
              encoded[2 * chunk.get(slot) + 1] = (char) slot;
            }
            chunkClass(signature, chunk);
          }
        });
    // Calls of types that no function of this module has may still reach those of others.
    for (FunctionType type : callableTypes()) {
      Signature signature = Signature.of(type);
      classes.computeIfAbsent(signature.className(), name -> signature.classFile());
    }
    entriesClass(new String(encoded));
  }

  private List<FunctionType> callableTypes() {
    List<FunctionType> all = new ArrayList<>();
    for (int i = 0; i < module.typeSection().typeCount(); i++) {
      all.add(module.typeSection().getType(i));
    }
    return all;
  }

  private SortedSet<Integer> tableFunctions() {
    SortedSet<Integer> functions = new TreeSet<>();
    for (int i = 0; i < imported; i++) {
      functions.add(i); // side modules may ask for the address of a host function
    }
    for (int i = 0; i < module.exportSection().exportCount(); i++) {
      Export export = module.exportSection().getExport(i);
      if (export.exportType() == ExternalType.FUNCTION) {
        functions.add(export.index());
      }
    }
    for (int i = 0; i < module.elementSection().elementCount(); i++) {
      Element element = module.elementSection().getElement(i);
      for (List<Instruction> initializer : element.initializers()) {
        for (Instruction instruction : initializer) {
          if (instruction.opcode() == OpCode.REF_FUNC) {
            functions.add((int) instruction.operand(0));
          }
        }
      }
    }
    return functions;
  }

  private void chunkClass(Signature signature, List<Integer> functions) {
    String name = machine + "Entry_" + chunks.size();
    chunks.add(name);
    String superclass = signature.internalName();
    ClassWriter writer = newClass(name, superclass);
    Signature.constructor(writer, superclass);
    MethodVisitor code =
        writer.visitMethod(Opcodes.ACC_PUBLIC, "call", signature.descriptor(MEMORY), null, null);
    code.visitCode();
    int memory = signature.load(code, 1);
    code.visitVarInsn(Opcodes.ALOAD, memory);
    loadField(code, name, "instance", INSTANCE);
    loadField(code, name, "slot", "I");
    Label[] cases = labels(functions.size());
    code.visitTableSwitchInsn(0, cases.length - 1, cases[0], cases);
    for (int i = 0; i < cases.length; i++) {
      int function = functions.get(i);
      code.visitLabel(cases[i]);
      code.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          owner.apply(function),
          "func_" + function,
          signature.descriptor(MEMORY + INSTANCE),
          false);
      code.visitInsn(signature.returnOpcode());
    }
    finish(name, writer, code);
  }

  private static void loadField(MethodVisitor code, String owner, String name, String descriptor) {
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitFieldInsn(Opcodes.GETFIELD, owner, name, descriptor);
  }

  private void entriesClass(String encoded) {
    String name = machine + ModuleEntries.SUFFIX;
    ClassWriter writer = newClass(name, ENTRIES);
    MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
    code.visitCode();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    int length = 2 * FUNCTIONS_PER_STRING;
    int strings = (encoded.length() + length - 1) / length;
    code.visitIntInsn(Opcodes.SIPUSH, strings);
    code.visitTypeInsn(Opcodes.ANEWARRAY, "java/lang/String");
    for (int i = 0; i < strings; i++) {
      code.visitInsn(Opcodes.DUP);
      code.visitIntInsn(Opcodes.SIPUSH, i);
      code.visitLdcInsn(
          encoded.substring(i * length, Math.min((i + 1) * length, encoded.length())));
      code.visitInsn(Opcodes.AASTORE);
    }
    code.visitMethodInsn(Opcodes.INVOKESPECIAL, ENTRIES, "<init>", "([Ljava/lang/String;)V", false);
    code.visitInsn(Opcodes.RETURN);
    code.visitMaxs(0, 0);
    code.visitEnd();
    make(writer);
  }

  private void make(ClassWriter writer) {
    String name = machine + ModuleEntries.SUFFIX;
    MethodVisitor code = writer.visitMethod(Opcodes.ACC_PROTECTED, "make", MAKE, null, null);
    code.visitCode();
    Label none = new Label();
    if (!chunks.isEmpty()) {
      Label[] cases = labels(chunks.size());
      code.visitVarInsn(Opcodes.ILOAD, 1);
      code.visitTableSwitchInsn(0, cases.length - 1, none, cases);
      for (int i = 0; i < cases.length; i++) {
        code.visitLabel(cases[i]);
        code.visitTypeInsn(Opcodes.NEW, chunks.get(i));
        code.visitInsn(Opcodes.DUP);
        code.visitVarInsn(Opcodes.ALOAD, 2);
        code.visitVarInsn(Opcodes.ILOAD, 3);
        code.visitVarInsn(Opcodes.ILOAD, 4);
        code.visitMethodInsn(Opcodes.INVOKESPECIAL, chunks.get(i), "<init>", CONSTRUCTOR, false);
        code.visitInsn(Opcodes.ARETURN);
      }
    }
    code.visitLabel(none);
    code.visitInsn(Opcodes.ACONST_NULL);
    code.visitInsn(Opcodes.ARETURN);
    finish(name, writer, code);
  }

  private static Label[] labels(int count) {
    Label[] labels = new Label[count];
    for (int i = 0; i < count; i++) {
      labels[i] = new Label();
    }
    return labels;
  }

  private static ClassWriter newClass(String name, String superclass) {
    ClassWriter writer =
        new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
          @Override
          protected String getCommonSuperClass(String first, String second) {
            return "java/lang/Object"; // branches meet nowhere here with objects of two classes
          }
        };
    writer.visit(
        Opcodes.V11,
        Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL | Opcodes.ACC_SUPER,
        name,
        null,
        superclass,
        null);
    return writer;
  }

  private void finish(String name, ClassWriter writer, MethodVisitor code) {
    code.visitMaxs(0, 0);
    code.visitEnd();
    writer.visitEnd();
    classes.put(name.replace('/', '.'), writer.toByteArray());
  }
}
