package io.pyrunr.wasm.internal.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** All of Pyodide's functions can be stopped. */
class StopPollsTest {
  private int loops;
  private int callers;

  @Test
  void everyLoopAndEveryCallerPolls() throws IOException {
    List<String> wrong = new ArrayList<>();
    HotSpotLimitsTest.forEachClass(
        (name, bytes) -> {
          ClassNode type = new ClassNode();
          new ClassReader(bytes).accept(type, 0);
          for (MethodNode method : type.methods) {
            if (method.name.startsWith("func_") && !isRight(method)) {
              wrong.add(name + " " + method.name);
            }
          }
        });
    assertEquals(List.of(), wrong);
    assertTrue(loops > 5000 && callers > 5000, loops + " jumps back, " + callers + " callers");
  }

  private boolean isRight(MethodNode method) {
    Set<AbstractInsnNode> passed = new HashSet<>();
    boolean calls = false;
    for (AbstractInsnNode each : method.instructions) {
      passed.add(each);
      for (AbstractInsnNode target : StopPolls.targets(each).toList()) {
        if (passed.contains(target)) {
          loops++;
          if (!isPoll(instructionAt(target))) {
            return false;
          }
        }
      }
      if (each instanceof MethodInsnNode call
          && (call.name.startsWith("func_") || call.name.startsWith("call_indirect_"))) {
        calls = true;
      }
    }
    callers += calls ? 1 : 0;
    return !calls || isPoll(instructionAt(method.instructions.getFirst()));
  }

  private static AbstractInsnNode instructionAt(AbstractInsnNode node) {
    AbstractInsnNode at = node;
    while (at.getOpcode() < 0) {
      at = at.getNext();
    }
    return at;
  }

  private static boolean isPoll(AbstractInsnNode instruction) {
    return instruction instanceof MethodInsnNode call && call.name.equals("poll");
  }
}
