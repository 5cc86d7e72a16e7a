package io.pyrunr.wasm.types;

import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.FunctionType;
import com.dylibso.chicory.wasm.types.ValType;
import io.pyrunr.wasm.runtime.Callback;
import io.pyrunr.wasm.runtime.LinearMemory;
import io.pyrunr.wasm.runtime.TableEntry;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * A wasm function type as the generated abstract class that every table entry of that type extends,
 * see {@link TableEntry}. The class's name spells the type, one letter per value, so the class can
 * be made from its name alone: {@code Call_iij_i} takes two i32 and an i64 and returns an i32.
 *
 * @param params a letter each: i, j, f, d for i32, i64, f32, f64; x for externref, n for funcref
 * @param results likewise
 */
public record Signature(String params, String results) {
  /** Where the classes are. */
  public static final String PACKAGE = "io.pyrunr.wasm.call";

  /** Descriptor of a module's instance. */
  public static final String INSTANCE = Type.getDescriptor(Instance.class);

  private static final String PREFIX = PACKAGE + ".Call_";
  private static final String CALLBACK_PREFIX = PACKAGE + ".Callback_";
  private static final String CALLBACK = Type.getInternalName(Callback.class);
  private static final String ENTRY = Type.getInternalName(TableEntry.class);
  private static final String MEMORY = Type.getDescriptor(LinearMemory.class);

  /** Parameters of {@link TableEntry#trampoline}. */
  private static final int TRAMPOLINE = 3;

  /** The function types of a module, in the order of its type section. */
  public static List<Signature> allOf(WasmModule module) {
    List<Signature> signatures = new ArrayList<>();
    for (int i = 0; i < module.typeSection().typeCount(); i++) {
      signatures.add(of(module.typeSection().getType(i)));
    }
    return signatures;
  }

  public static Signature of(FunctionType type) {
    return new Signature(letters(type.params()), letters(type.returns()));
  }

  private static String letters(List<ValType> types) {
    StringBuilder letters = new StringBuilder();
    for (ValType type : types) {
      if (type.equals(ValType.I32)) {
        letters.append('i');
      } else if (type.equals(ValType.I64)) {
        letters.append('j');
      } else if (type.equals(ValType.F32)) {
        letters.append('f');
      } else if (type.equals(ValType.F64)) {
        letters.append('d');
      } else if (type.equals(ValType.ExternRef)) {
        letters.append('x');
      } else if (type.equals(ValType.FuncRef)) {
        letters.append('n');
      } else {
        throw new IllegalArgumentException("functions with values of type " + type);
      }
    }
    return letters.toString();
  }

  /** Whether a class of this name is one of a signature. */
  public static boolean isClassName(String name) {
    return name.startsWith(PREFIX);
  }

  /** The signature that {@link #className} gave this name. */
  public static Signature ofClassName(String name) {
    String[] letters = name.substring(PREFIX.length()).split("_", -1);
    return new Signature(letters[0], letters[1]);
  }

  /** Binary name of the class. */
  public String className() {
    return PREFIX + params + "_" + results;
  }

  /** Binary name of the class for entries that are {@link Callback}s. */
  public String callbackClassName() {
    return CALLBACK_PREFIX + params + "_" + results;
  }

  public String internalName() {
    return className().replace('.', '/');
  }

  // ---------------------------------------------------------------- in the JVM's terms

  private static char jvmType(char letter) {
    return switch (letter) {
      case 'j' -> 'J';
      case 'f' -> 'F';
      case 'd' -> 'D';
      default -> 'I'; // references are numbers in Chicory's compiled code
    };
  }

  /** Parameters and results as in Chicory's methods, with {@code more} parameters at the end. */
  public String descriptor(String more) {
    StringBuilder text = new StringBuilder("(");
    params.chars().forEach(letter -> text.append(jvmType((char) letter)));
    return text.append(more).append(')').append(returnType()).toString();
  }

  private String returnType() {
    return switch (results.length()) {
      case 0 -> "V";
      case 1 -> String.valueOf(jvmType(results.charAt(0)));
      default -> "[J";
    };
  }

  public int returnOpcode() {
    return switch (returnType()) {
      case "V" -> Opcodes.RETURN;
      case "J" -> Opcodes.LRETURN;
      case "F" -> Opcodes.FRETURN;
      case "D" -> Opcodes.DRETURN;
      case "[J" -> Opcodes.ARETURN;
      default -> Opcodes.IRETURN;
    };
  }

  /** Pushes the parameters, the first of which is in slot {@code slot}; returns the slot behind. */
  public int load(MethodVisitor code, int slot) {
    for (int i = 0; i < params.length(); i++) {
      char type = jvmType(params.charAt(i));
      int opcode =
          switch (type) {
            case 'J' -> Opcodes.LLOAD;
            case 'F' -> Opcodes.FLOAD;
            case 'D' -> Opcodes.DLOAD;
            default -> Opcodes.ILOAD;
          };
      code.visitVarInsn(opcode, slot);
      slot += type == 'J' || type == 'D' ? 2 : 1;
    }
    return slot;
  }

  // ---------------------------------------------------------------- the class

  /** The class file. */
  public byte[] classFile() {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(
        Opcodes.V11,
        Opcodes.ACC_PUBLIC | Opcodes.ACC_ABSTRACT | Opcodes.ACC_SUPER,
        internalName(),
        null,
        ENTRY,
        null);
    constructor(writer, ENTRY);
    writer
        .visitMethod(
            Opcodes.ACC_PUBLIC | Opcodes.ACC_ABSTRACT, "call", descriptor(MEMORY), null, null)
        .visitEnd();
    parameterCount(writer);
    apply(writer);
    if (params.matches("i*") && results.matches("i?")) {
      trampoline(writer);
    }
    writer.visitEnd();
    return writer.toByteArray();
  }

  /** A constructor that hands its parameters on to the superclass. */
  public static void constructor(ClassWriter writer, String superclass) {
    String descriptor = "(" + INSTANCE + "II)V";
    MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", descriptor, null, null);
    code.visitCode();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitVarInsn(Opcodes.ALOAD, 1);
    code.visitVarInsn(Opcodes.ILOAD, 2);
    code.visitVarInsn(Opcodes.ILOAD, 3);
    code.visitMethodInsn(Opcodes.INVOKESPECIAL, superclass, "<init>", descriptor, false);
    code.visitInsn(Opcodes.RETURN);
    code.visitMaxs(0, 0);
    code.visitEnd();
  }

  private void parameterCount(ClassWriter writer) {
    MethodVisitor code =
        writer.visitMethod(Opcodes.ACC_PUBLIC, "parameterCount", "()I", null, null);
    code.visitCode();
    code.visitIntInsn(Opcodes.SIPUSH, params.length());
    code.visitInsn(Opcodes.IRETURN);
    code.visitMaxs(0, 0);
    code.visitEnd();
  }

  private void call(MethodVisitor code) {
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, internalName(), "call", descriptor(MEMORY), false);
  }

  private void apply(ClassWriter writer) {
    MethodVisitor code =
        writer.visitMethod(Opcodes.ACC_PUBLIC, "apply", "([J" + MEMORY + ")[J", null, null);
    code.visitCode();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    for (int i = 0; i < params.length(); i++) {
      code.visitVarInsn(Opcodes.ALOAD, 1);
      code.visitIntInsn(Opcodes.SIPUSH, i);
      code.visitInsn(Opcodes.LALOAD);
      unbox(code, jvmType(params.charAt(i)));
    }
    code.visitVarInsn(Opcodes.ALOAD, 2);
    call(code);
    switch (results.length()) {
      case 0 -> code.visitMethodInsn(Opcodes.INVOKESTATIC, ENTRY, "nothing", "()[J", false);
      case 1 -> {
        box(code, jvmType(results.charAt(0)));
        code.visitVarInsn(Opcodes.LSTORE, 3);
        code.visitInsn(Opcodes.ICONST_1);
        code.visitIntInsn(Opcodes.NEWARRAY, Opcodes.T_LONG);
        code.visitInsn(Opcodes.DUP);
        code.visitInsn(Opcodes.ICONST_0);
        code.visitVarInsn(Opcodes.LLOAD, 3);
        code.visitInsn(Opcodes.LASTORE);
      }
      default -> {} // is an array
    }
    code.visitInsn(Opcodes.ARETURN);
    code.visitMaxs(0, 0);
    code.visitEnd();
  }

  private static void unbox(MethodVisitor code, char type) {
    if (type != 'J' && type != 'D') {
      code.visitInsn(Opcodes.L2I);
    }
    if (type == 'F') {
      code.visitMethodInsn(
          Opcodes.INVOKESTATIC, "java/lang/Float", "intBitsToFloat", "(I)F", false);
    } else if (type == 'D') {
      code.visitMethodInsn(
          Opcodes.INVOKESTATIC, "java/lang/Double", "longBitsToDouble", "(J)D", false);
    }
  }

  private static void box(MethodVisitor code, char type) {
    if (type == 'F') {
      code.visitMethodInsn(
          Opcodes.INVOKESTATIC, "java/lang/Float", "floatToRawIntBits", "(F)I", false);
    } else if (type == 'D') {
      code.visitMethodInsn(
          Opcodes.INVOKESTATIC, "java/lang/Double", "doubleToRawLongBits", "(D)J", false);
    }
    if (type != 'J' && type != 'D') {
      code.visitInsn(Opcodes.I2L);
    }
  }

  /**
   * The class file of {@link #callbackClassName}: its constructor takes the {@link Callback}, whose
   * arguments and result it converts.
   */
  public byte[] callbackClassFile() {
    String name = callbackClassName().replace('.', '/');
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(
        Opcodes.V11,
        Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL | Opcodes.ACC_SUPER,
        name,
        null,
        internalName(),
        null);
    String field = "L" + CALLBACK + ";";
    writer
        .visitField(Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL, "callback", field, null, null)
        .visitEnd();
    MethodVisitor code =
        writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "(" + field + ")V", null, null);
    code.visitCode();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitInsn(Opcodes.ACONST_NULL);
    code.visitInsn(Opcodes.ICONST_0);
    code.visitInsn(Opcodes.ICONST_0);
    code.visitMethodInsn(
        Opcodes.INVOKESPECIAL, internalName(), "<init>", "(" + INSTANCE + "II)V", false);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitVarInsn(Opcodes.ALOAD, 1);
    code.visitFieldInsn(Opcodes.PUTFIELD, name, "callback", field);
    code.visitInsn(Opcodes.RETURN);
    code.visitMaxs(0, 0);
    code.visitEnd();
    callCallback(writer, name, field);
    writer.visitEnd();
    return writer.toByteArray();
  }

  private void callCallback(ClassWriter writer, String name, String field) {
    MethodVisitor code =
        writer.visitMethod(Opcodes.ACC_PUBLIC, "call", descriptor(MEMORY), null, null);
    code.visitCode();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitFieldInsn(Opcodes.GETFIELD, name, "callback", field);
    code.visitIntInsn(Opcodes.SIPUSH, params.length());
    code.visitIntInsn(Opcodes.NEWARRAY, Opcodes.T_LONG);
    int slot = 1;
    for (int i = 0; i < params.length(); i++) {
      code.visitInsn(Opcodes.DUP);
      code.visitIntInsn(Opcodes.SIPUSH, i);
      Signature one = new Signature(params.substring(i, i + 1), "");
      slot = one.load(code, slot);
      box(code, jvmType(params.charAt(i)));
      code.visitInsn(Opcodes.LASTORE);
    }
    code.visitVarInsn(Opcodes.ALOAD, slot);
    code.visitMethodInsn(Opcodes.INVOKEINTERFACE, CALLBACK, "call", "([J" + MEMORY + ")J", true);
    if (results.isEmpty()) {
      code.visitInsn(Opcodes.POP2);
    } else {
      unbox(code, jvmType(results.charAt(0)));
    }
    code.visitInsn(returnOpcode());
    code.visitMaxs(0, 0);
    code.visitEnd();
  }

  private void trampoline(ClassWriter writer) {
    MethodVisitor code =
        writer.visitMethod(Opcodes.ACC_PUBLIC, "trampoline", "(III" + MEMORY + ")I", null, null);
    code.visitCode();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    for (int i = 0; i < params.length(); i++) {
      if (i < TRAMPOLINE) {
        code.visitVarInsn(Opcodes.ILOAD, i + 1);
      } else {
        code.visitInsn(Opcodes.ICONST_0);
      }
    }
    code.visitVarInsn(Opcodes.ALOAD, TRAMPOLINE + 1);
    call(code);
    if (results.isEmpty()) {
      code.visitInsn(Opcodes.ICONST_0);
    }
    code.visitInsn(Opcodes.IRETURN);
    code.visitMaxs(0, 0);
    code.visitEnd();
  }
}
