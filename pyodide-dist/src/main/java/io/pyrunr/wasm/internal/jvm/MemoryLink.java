package io.pyrunr.wasm.internal.jvm;

import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Memory;
import io.pyrunr.wasm.runtime.LinearMemory;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.SimpleRemapper;

/**
 * Links compiled code to {@link LinearMemory}: wherever Chicory's compiler wrote the interface
 * {@code Memory}, parameters included, the final class stands afterwards. What an {@code Instance}
 * returns is cast once, on the way in.
 *
 * <p>{@code memory.init} is told the instance as well: passive segments belong to a module, and
 * several modules share one memory.
 */
final class MemoryLink extends ClassVisitor {
  private static final String MEMORY = Type.getInternalName(Memory.class);
  private static final String LINEAR_MEMORY = Type.getInternalName(LinearMemory.class);
  private static final String INSTANCE = Type.getInternalName(Instance.class);
  private static final String INSTANCE_PARAMETER = "L" + INSTANCE + ";)";

  MemoryLink(ClassVisitor next) {
    super(
        Opcodes.ASM9,
        new ClassRemapper(
            new Calls(next), new SimpleRemapper(Opcodes.ASM9, MEMORY, LINEAR_MEMORY)));
  }

  /** Repairs the calls whose owners the renaming does not fit. */
  private static final class Calls extends ClassVisitor {
    Calls(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      if (next == null) {
        return null;
      }
      int instanceSlot = Type.getArgumentsAndReturnSizes(descriptor) >> 2;
      boolean isFunction = name.startsWith("func_");
      return new MethodVisitor(Opcodes.ASM9, next) {
        private int added;

        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
          super.visitMaxs(maxStack + added, maxLocals);
        }

        @Override
        public void visitMethodInsn(
            int opcode, String owner, String name, String descriptor, boolean isInterface) {
          if (isFunction && name.equals("memoryInit")) {
            added = 1;
            // A static method has no receiver, and the instance is its last parameter.
            super.visitVarInsn(Opcodes.ALOAD, instanceSlot - 2);
            super.visitMethodInsn(
                opcode, owner, name, descriptor.replace(")", INSTANCE_PARAMETER), isInterface);
          } else if (owner.equals(INSTANCE) && name.equals("memory")) {
            super.visitMethodInsn(
                opcode, owner, name, descriptor.replace(LINEAR_MEMORY, MEMORY), isInterface);
            super.visitTypeInsn(Opcodes.CHECKCAST, LINEAR_MEMORY);
          } else if (owner.equals(LINEAR_MEMORY) && opcode == Opcodes.INVOKEINTERFACE) {
            super.visitMethodInsn(Opcodes.INVOKEVIRTUAL, owner, name, descriptor, false);
          } else if (descriptor.contains(LINEAR_MEMORY)
              && owner.startsWith("com/dylibso/chicory/runtime/")) {
            super.visitMethodInsn(
                opcode, owner, name, descriptor.replace(LINEAR_MEMORY, MEMORY), isInterface);
          } else {
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
          }
        }
      };
    }
  }
}
