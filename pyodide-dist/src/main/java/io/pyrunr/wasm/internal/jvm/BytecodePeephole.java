package io.pyrunr.wasm.internal.jvm;

import com.dylibso.chicory.runtime.OpcodeImpl;
import io.pyrunr.wasm.runtime.CompiledSupport;
import io.pyrunr.wasm.runtime.LinearMemory;
import io.pyrunr.wasm.runtime.UnsignedComparison;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Shortens what Chicory's compiler emits and calls {@link CompiledSupport} where that has something
 * of its own. Short, because size decides whether HotSpot compiles a method at all (8,000 bytes)
 * and how soon (C1 gives up on methods with many values):
 *
 * <ul>
 *   <li>a comparison made by a call and tested for zero becomes one conditional jump;
 *   <li>a global that has a {@link GlobalRegister} becomes a field access;
 *   <li>a jump over a jump becomes the opposite jump;
 *   <li>a switch with few entries besides its default becomes a list of keys;
 *   <li>zeros come from instructions of one byte.
 * </ul>
 */
final class BytecodePeephole extends ClassVisitor {
  private static final String OPCODES = Type.getInternalName(OpcodeImpl.class);
  private static final String UNSIGNED = Type.getInternalName(UnsignedComparison.class);
  private static final String LINEAR_MEMORY = Type.getInternalName(LinearMemory.class);

  /** Jump taken if the comparison holds, by the comparison's name. */
  private static final Map<String, Integer> COMPARISONS =
      Map.of(
          "I32_EQ", Opcodes.IF_ICMPEQ,
          "I32_NE", Opcodes.IF_ICMPNE,
          "I32_LT_S", Opcodes.IF_ICMPLT,
          "I32_GT_S", Opcodes.IF_ICMPGT,
          "I32_LE_S", Opcodes.IF_ICMPLE,
          "I32_GE_S", Opcodes.IF_ICMPGE);

  private static final String SUPPORT_CLASS = Type.getInternalName(CompiledSupport.class);

  /** What {@link CompiledSupport} has, as name and descriptor. */
  private static final Set<String> SUPPORT =
      Arrays.stream(CompiledSupport.class.getDeclaredMethods())
          .map(method -> method.getName() + Type.getMethodDescriptor(method))
          .collect(Collectors.toUnmodifiableSet());

  private final Map<Integer, GlobalRegister> registers;

  BytecodePeephole(ClassVisitor next, Map<Integer, GlobalRegister> registers) {
    super(Opcodes.ASM9, next);
    this.registers = registers;
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
    if (!name.startsWith("func_")) {
      return next;
    }
    int memorySlot = memorySlot(descriptor);
    return new MethodNode(Opcodes.ASM9, access, name, descriptor, signature, exceptions) {
      @Override
      public void visitEnd() {
        rewrite(instructions, memorySlot);
        StopPolls.place(instructions);
        joinJumps(instructions);
        accept(next);
      }
    };
  }

  /** The slot of the memory parameter, the last but one. */
  private static int memorySlot(String descriptor) {
    int slots = 0;
    Type[] types = Type.getArgumentTypes(descriptor);
    for (int i = 0; i < types.length - 2; i++) {
      slots += types[i].getSize();
    }
    return slots;
  }

  private void rewrite(InsnList code, int memorySlot) {
    // Over a copy: what is removed from the list while it is walked would end the walk.
    for (AbstractInsnNode next : code.toArray()) {
      if (next instanceof TableSwitchInsnNode table) {
        shorten(code, table);
      } else if (next instanceof LdcInsnNode constant) {
        shorten(code, constant);
      }
      if (!(next instanceof MethodInsnNode call)) {
        continue;
      }
      if (call.owner.equals(OPCODES)) {
        if (call.name.matches("I(32|64)_(LT|GT|LE|GE)_U")) {
          call.owner = UNSIGNED;
        }
        fuse(code, call);
      } else if (call.name.equals("readGlobal")) {
        readRegister(code, call, memorySlot);
      } else if (call.name.equals("writeGlobal")) {
        writeRegister(code, call, memorySlot);
      } else if (SUPPORT.contains(call.name + call.desc)) {
        call.owner = SUPPORT_CLASS;
      }
    }
  }

  /** A switch most of whose entries lead to its default needs no table. */
  private static void shorten(InsnList code, TableSwitchInsnNode table) {
    List<Integer> keys = new ArrayList<>();
    List<LabelNode> labels = new ArrayList<>();
    for (int i = 0; i < table.labels.size(); i++) {
      if (table.labels.get(i) != table.dflt) {
        keys.add(table.min + i);
        labels.add(table.labels.get(i));
      }
    }
    if (2 * keys.size() < table.labels.size()) {
      code.set(
          table,
          new LookupSwitchInsnNode(
              table.dflt,
              keys.stream().mapToInt(Integer::intValue).toArray(),
              labels.toArray(new LabelNode[0])));
    }
  }

  /** Locals are set to zero by constants from the pool, which take more bytes than need be. */
  private static void shorten(InsnList code, LdcInsnNode constant) {
    Object value = constant.cst;
    int opcode;
    if (value.equals(0)) {
      opcode = Opcodes.ICONST_0;
    } else if (value.equals(0L)) {
      opcode = Opcodes.LCONST_0;
    } else if (value.equals(0.0f)) { // equals tells 0.0 from -0.0
      opcode = Opcodes.FCONST_0;
    } else if (value.equals(0.0d)) {
      opcode = Opcodes.DCONST_0;
    } else {
      return;
    }
    code.set(constant, new InsnNode(opcode));
  }

  /** What jumped over a poll and a jump back jumps back itself. */
  private static void joinJumps(InsnList code) {
    for (AbstractInsnNode each : code.toArray()) {
      if (each instanceof JumpInsnNode over
          && over.getOpcode() != Opcodes.GOTO
          && over.getNext() instanceof JumpInsnNode jump
          && jump.getOpcode() == Opcodes.GOTO
          && jump.getNext() == over.label) {
        over.setOpcode(opposite(over.getOpcode()));
        over.label = jump.label;
        code.remove(jump);
      }
    }
  }

  private static void fuse(InsnList code, MethodInsnNode comparison) {
    if (!(comparison.getNext() instanceof JumpInsnNode jump)) {
      return;
    }
    boolean onTrue = jump.getOpcode() == Opcodes.IFNE;
    if (!onTrue && jump.getOpcode() != Opcodes.IFEQ) {
      return;
    }
    int taken;
    if (comparison.name.equals("I32_EQZ")) {
      taken = Opcodes.IFEQ;
    } else if (COMPARISONS.containsKey(comparison.name)) {
      taken = COMPARISONS.get(comparison.name);
    } else {
      return;
    }
    jump.setOpcode(onTrue ? taken : opposite(taken));
    code.remove(comparison);
  }

  /** The opposite jumps are neighbours: IFEQ/IFNE, IFLT/IFGE, IFGT/IFLE and so on. */
  private static int opposite(int jump) {
    return ((jump + 1) ^ 1) - 1;
  }

  // iconst index; aload instance; readGlobal; narrow  ->  aload memory; getfield
  private void readRegister(InsnList code, MethodInsnNode call, int memorySlot) {
    AbstractInsnNode instance = call.getPrevious();
    AbstractInsnNode index = instance.getPrevious();
    GlobalRegister register = registers.get(constant(index));
    if (register == null) {
      return;
    }
    if (register.descriptor() != 'J') {
      code.remove(call.getNext()); // l2i, longToFloat or longToDouble
    }
    code.insertBefore(index, new VarInsnNode(Opcodes.ALOAD, memorySlot));
    code.insertBefore(index, field(Opcodes.GETFIELD, register));
    code.remove(index);
    code.remove(instance);
    code.remove(call);
  }

  // widen; iconst index; aload instance; writeGlobal  ->  aload memory; swap; putfield
  private void writeRegister(InsnList code, MethodInsnNode call, int memorySlot) {
    AbstractInsnNode instance = call.getPrevious();
    AbstractInsnNode index = instance.getPrevious();
    GlobalRegister register = registers.get(constant(index));
    if (register == null) {
      return;
    }
    if (register.descriptor() != 'J') {
      code.remove(index.getPrevious()); // i2l, floatToLong or doubleToLong
    }
    code.insertBefore(index, new VarInsnNode(Opcodes.ALOAD, memorySlot));
    if (register.descriptor() == 'J' || register.descriptor() == 'D') {
      code.insertBefore(index, new InsnNode(Opcodes.DUP_X2));
      code.insertBefore(index, new InsnNode(Opcodes.POP));
    } else {
      code.insertBefore(index, new InsnNode(Opcodes.SWAP));
    }
    code.insertBefore(index, field(Opcodes.PUTFIELD, register));
    code.remove(index);
    code.remove(instance);
    code.remove(call);
  }

  private static FieldInsnNode field(int opcode, GlobalRegister register) {
    return new FieldInsnNode(
        opcode, LINEAR_MEMORY, register.field(), String.valueOf(register.descriptor()));
  }

  private static int constant(AbstractInsnNode push) {
    int opcode = push.getOpcode();
    if (opcode >= Opcodes.ICONST_M1 && opcode <= Opcodes.ICONST_5) {
      return opcode - Opcodes.ICONST_0;
    }
    if (push instanceof IntInsnNode small) {
      return small.operand;
    }
    if (push instanceof LdcInsnNode ldc && ldc.cst instanceof Integer value) {
      return value;
    }
    throw new IllegalStateException("not a constant global index: opcode " + opcode);
  }
}
