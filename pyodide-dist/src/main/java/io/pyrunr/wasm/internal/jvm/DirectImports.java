package io.pyrunr.wasm.internal.jvm;

import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.FunctionImport;
import io.pyrunr.wasm.runtime.LinearMemory;
import io.pyrunr.wasm.runtime.LinkedFunction;
import io.pyrunr.wasm.runtime.TableEntry;
import io.pyrunr.wasm.types.Signature;
import java.util.HashMap;
import java.util.Map;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Makes calls of imports that are wasm functions calls of their methods. Chicory's compiler goes to
 * the host for each, with arguments in an array.
 *
 * <p>Two kinds are known when a module is compiled: functions that the main module exports, and
 * CPython's call trampoline; others are known when modules are linked ({@link LinkedFunction}). As
 * for the trampoline, extension functions are often declared with fewer parameters than they are
 * called with; on wasm that traps, so CPython asks its host to call {@code (function, self, args,
 * kwargs)} with as many arguments as the function takes. Every call of a method without arguments
 * or with one goes this way.
 */
final class DirectImports extends ClassVisitor {
  private static final String TRAMPOLINE = "_PyEM_TrampolineCall_JS";
  private static final String ENTRY = Type.getInternalName(TableEntry.class);
  private static final String LINEAR_MEMORY = Type.getInternalName(LinearMemory.class);
  private static final String MEMORY = Type.getDescriptor(LinearMemory.class);
  private static final String INSTANCE = Type.getDescriptor(Instance.class);

  private static final String LINKED = Type.getInternalName(LinkedFunction.class);

  private final Map<String, Import> imports = new HashMap<>();
  private final MainModule main;

  private record Import(int index, String name, Signature signature) {}

  /**
   * Makes the visitor.
   *
   * @param main whose exports are known, or null
   */
  DirectImports(ClassVisitor next, WasmModule module, MainModule main) {
    super(Opcodes.ASM9, next);
    this.main = main;
    int function = 0;
    for (int i = 0; i < module.importSection().importCount(); i++) {
      if (module.importSection().getImport(i) instanceof FunctionImport each) {
        var type = module.typeSection().getType(each.typeIndex());
        imports.put("func_" + function, new Import(function, each.name(), Signature.of(type)));
        function++;
      }
    }
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    MethodVisitor code = super.visitMethod(access, name, descriptor, signature, exceptions);
    Import function = imports.get(name);
    if (function == null) {
      return code;
    }
    if (function.name.equals(TRAMPOLINE) && function.signature.params().equals("iiii")) {
      writeTrampoline(code);
      return null;
    }
    if (main == null) {
      return code;
    }
    MainModule.Function target = main.function(function.name);
    if (target != null && target.signature().equals(function.signature)) {
      writeCall(code, target);
      return null;
    }
    return new MethodVisitor(Opcodes.ASM9, code) {
      @Override
      public void visitCode() {
        super.visitCode();
        writeLinkedCall(mv, function);
      }

      @Override
      public void visitMaxs(int maxStack, int maxLocals) {
        int slots = Type.getArgumentsAndReturnSizes(descriptor) >> 2;
        super.visitMaxs(Math.max(maxStack, slots + 2), Math.max(maxLocals, slots + 1));
      }
    };
  }

  private static void writeTrampoline(MethodVisitor code) {
    code.visitCode();
    code.visitInsn(Opcodes.ICONST_0);
    TableCalls.loadEntry(code, 0, 4, 5);
    code.visitVarInsn(Opcodes.ILOAD, 1);
    code.visitVarInsn(Opcodes.ILOAD, 2);
    code.visitVarInsn(Opcodes.ILOAD, 3);
    code.visitVarInsn(Opcodes.ALOAD, 4);
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, ENTRY, "trampoline", "(III" + MEMORY + ")I", false);
    code.visitInsn(Opcodes.IRETURN);
    code.visitMaxs(5, 6);
    code.visitEnd();
  }

  /** Calls what the import was linked to; goes on with the code that is there if to nothing. */
  private static void writeLinkedCall(MethodVisitor code, Import function) {
    Signature signature = function.signature;
    int memory = (Type.getArgumentsAndReturnSizes(signature.descriptor("")) >> 2) - 1;
    code.visitVarInsn(Opcodes.ALOAD, memory + 1);
    code.visitIntInsn(Opcodes.SIPUSH, function.index);
    code.visitMethodInsn(
        Opcodes.INVOKESTATIC, LINKED, "entry", "(" + INSTANCE + "I)L" + ENTRY + ";", false);
    code.visitInsn(Opcodes.DUP);
    Label host = new Label();
    code.visitJumpInsn(Opcodes.IFNULL, host);
    code.visitTypeInsn(Opcodes.CHECKCAST, signature.internalName());
    signature.load(code, 0);
    code.visitVarInsn(Opcodes.ALOAD, memory);
    code.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL,
        signature.internalName(),
        "call",
        signature.descriptor(MEMORY),
        false);
    code.visitInsn(signature.returnOpcode());
    code.visitLabel(host);
    code.visitFrame(Opcodes.F_SAME1, 0, null, 1, new Object[] {ENTRY});
    code.visitInsn(Opcodes.POP);
  }

  private static void writeCall(MethodVisitor code, MainModule.Function target) {
    Signature signature = target.signature();
    code.visitCode();
    int memory = signature.load(code, 0);
    code.visitVarInsn(Opcodes.ALOAD, memory);
    code.visitInsn(Opcodes.DUP);
    code.visitFieldInsn(Opcodes.GETFIELD, LINEAR_MEMORY, "main", INSTANCE);
    code.visitMethodInsn(
        Opcodes.INVOKESTATIC,
        target.owner(),
        "func_" + target.index(),
        signature.descriptor(MEMORY + INSTANCE),
        false);
    code.visitInsn(signature.returnOpcode());
    code.visitMaxs(memory + 2, memory + 2);
    code.visitEnd();
  }
}
