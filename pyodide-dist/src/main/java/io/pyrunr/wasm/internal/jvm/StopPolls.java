package io.pyrunr.wasm.internal.jvm;

import io.pyrunr.wasm.runtime.StopSignal;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;

/**
 * Decides where compiled code polls whether it is to stop: at the head of each loop, and where a
 * function begins that calls others. All that can run on without end passes there again and again:
 * a recursion goes through functions that call, and code without loops and recursion ends.
 *
 * <p>Chicory's compiler polls before each call and each jump back, which are five times as many
 * places; each is code to be compiled, and in large methods a call that HotSpot does not inline.
 */
final class StopPolls {
  private static final String CHICORY_POLL = "checkInterruption";

  private StopPolls() {}

  /** Replaces the polls of a function of Chicory's. */
  static void place(InsnList code) {
    boolean calls = false;
    Set<LabelNode> seen = new HashSet<>();
    Set<AbstractInsnNode> loopHeads = new LinkedHashSet<>();
    for (AbstractInsnNode each : code.toArray()) {
      if (each instanceof LabelNode label) {
        seen.add(label);
      } else if (each instanceof MethodInsnNode call) {
        calls |= call.name.startsWith("func_") || call.name.startsWith("call_indirect_");
        if (call.name.equals(CHICORY_POLL)) {
          code.remove(call);
        }
      }
      targets(each).filter(seen::contains).map(StopPolls::behindFrame).forEach(loopHeads::add);
    }
    loopHeads.forEach(head -> code.insert(head, poll()));
    if (calls) {
      code.insert(poll());
    }
  }

  /** Labels that an instruction may go to. */
  static Stream<LabelNode> targets(AbstractInsnNode instruction) {
    if (instruction instanceof JumpInsnNode jump) {
      return Stream.of(jump.label);
    }
    if (instruction instanceof TableSwitchInsnNode table) {
      return Stream.concat(Stream.of(table.dflt), table.labels.stream());
    }
    if (instruction instanceof LookupSwitchInsnNode lookup) {
      return Stream.concat(Stream.of(lookup.dflt), lookup.labels.stream());
    }
    return Stream.of();
  }

  /** The last of the label and what belongs to its place: other labels, the stack map frame. */
  private static AbstractInsnNode behindFrame(LabelNode label) {
    AbstractInsnNode last = label;
    while (last.getNext() != null && last.getNext().getOpcode() < 0) {
      last = last.getNext();
    }
    return last;
  }

  private static MethodInsnNode poll() {
    return new MethodInsnNode(
        Opcodes.INVOKESTATIC, Type.getInternalName(StopSignal.class), "poll", "()V", false);
  }
}
