package io.pyrunr.wasm.internal.jvm;

import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.wasm.WasmModule;
import io.pyrunr.wasm.runtime.FunctionTable;
import io.pyrunr.wasm.runtime.LinearMemory;
import io.pyrunr.wasm.runtime.TableEntry;
import io.pyrunr.wasm.types.Signature;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Makes indirect calls virtual calls of {@link TableEntry} objects. Chicory's compiler makes them
 * switches over all functions of a type, in methods too large for the JIT compiler where there are
 * hundreds, and calls functions of other modules by way of arrays, with the type check done in the
 * wrong module's numbering.
 *
 * <p>Opens the classes as well: functions are called from other modules' classes.
 */
final class TableCalls extends ClassVisitor {
  private static final String PREFIX = "call_indirect_";
  private static final String TABLE = Type.getInternalName(FunctionTable.class);
  private static final String ENTRY = Type.getInternalName(TableEntry.class);
  private static final String MEMORY = Type.getDescriptor(LinearMemory.class);
  private static final String INSTANCE = Type.getDescriptor(Instance.class);

  /**
   * With so many parameters the method has more than the 35 bytes of bytecode that C1 inlines; with
   * fewer it is filled up, or C1 would inline it into the evaluation loop at every place and give
   * up on that for want of virtual registers.
   */
  private static final int PADDED_SLOTS = 4;

  private final WasmModule module;

  TableCalls(ClassVisitor next, WasmModule module) {
    super(Opcodes.ASM9, next);
    this.module = module;
  }

  @Override
  public void visit(
      int version,
      int access,
      String name,
      String signature,
      String superName,
      String[] interfaces) {
    super.visit(version, access | Opcodes.ACC_PUBLIC, name, signature, superName, interfaces);
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    MethodVisitor code = super.visitMethod(access, name, descriptor, signature, exceptions);
    if (!name.startsWith(PREFIX)) {
      return code;
    }
    int type = Integer.parseInt(name.substring(PREFIX.length()));
    write(code, Signature.of(module.typeSection().getType(type)));
    return null;
  }

  private static void write(MethodVisitor code, Signature signature) {
    code.visitCode();
    int slots = (Type.getArgumentsAndReturnSizes(signature.descriptor("")) >> 2) - 1;
    for (int i = slots; i < PADDED_SLOTS; i++) {
      code.visitInsn(Opcodes.NOP);
      code.visitInsn(Opcodes.NOP);
    }
    code.visitVarInsn(Opcodes.ILOAD, slots + 1);
    loadEntry(code, slots, slots + 2, slots + 3);
    Label matches = new Label();
    code.visitInsn(Opcodes.DUP);
    code.visitTypeInsn(Opcodes.INSTANCEOF, signature.internalName());
    code.visitJumpInsn(Opcodes.IFNE, matches);
    code.visitMethodInsn(
        Opcodes.INVOKESTATIC, TABLE, "mismatch", "()Ljava/lang/RuntimeException;", false);
    code.visitInsn(Opcodes.ATHROW);
    code.visitLabel(matches);
    code.visitFrame(Opcodes.F_SAME1, 0, null, 1, new Object[] {ENTRY});
    code.visitTypeInsn(Opcodes.CHECKCAST, signature.internalName());
    signature.load(code, 0);
    code.visitVarInsn(Opcodes.ALOAD, slots + 2);
    code.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL,
        signature.internalName(),
        "call",
        signature.descriptor(MEMORY),
        false);
    code.visitInsn(signature.returnOpcode());
    code.visitMaxs(slots + 3, slots + 4);
    code.visitEnd();
  }

  /**
   * Replaces the table's index on the stack by the entry whose index, and memory and instance, are
   * in these slots.
   */
  static void loadEntry(MethodVisitor code, int index, int memory, int instance) {
    code.visitVarInsn(Opcodes.ALOAD, memory);
    code.visitVarInsn(Opcodes.ALOAD, instance);
    code.visitMethodInsn(
        Opcodes.INVOKESTATIC, TABLE, "of", "(I" + MEMORY + INSTANCE + ")L" + TABLE + ";", false);
    code.visitVarInsn(Opcodes.ILOAD, index);
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, TABLE, "entry", "(I)L" + ENTRY + ";", false);
  }
}
