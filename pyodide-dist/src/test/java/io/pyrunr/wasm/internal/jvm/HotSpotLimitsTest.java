package io.pyrunr.wasm.internal.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.wasm.runtime.CompiledSupport;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Pyodide's compiled classes keep to what HotSpot's compilers want; sizes are the build's task. */
class HotSpotLimitsTest {
  private static final String CLASSES = "generated/PyodideMachineFuncGroup_";
  private static final int C1_MAX_INLINE_SIZE = 35;

  /** Passes on name and content of each class that has functions of Pyodide. */
  static void forEachClass(BiConsumer<String, byte[]> use) throws IOException {
    for (int i = 0; ; i++) {
      String name = CLASSES + i + ".class";
      try (InputStream in = PyodideDistribution.class.getResourceAsStream(name)) {
        if (in == null) {
          assertTrue(i > 100, "classes: " + i);
          return;
        }
        use.accept(name, in.readAllBytes());
      }
    }
  }

  /** HotSpot enters compiled code in the middle of a loop only if the operand stack is empty. */
  @Test
  void loopsBeginWithAnEmptyStack() throws IOException {
    List<String> wrong = new ArrayList<>();
    int[] loops = new int[1];
    forEachClass(
        (name, bytes) ->
            new ClassReader(bytes)
                .accept(
                    new ClassVisitor(Opcodes.ASM9) {
                      @Override
                      public MethodVisitor visitMethod(
                          int access, String method, String type, String generic, String[] thrown) {
                        return new LoopHeads() {
                          @Override
                          void loop(int stack) {
                            loops[0]++;
                            if (stack != 0) {
                              wrong.add(name + " " + method);
                            }
                          }
                        };
                      }
                    },
                    0));
    assertEquals(List.of(), wrong);
    assertTrue(loops[0] > 5000, "loops: " + loops[0]);
  }

  /**
   * See {@link CompiledSupport}: C1 must not copy a var handle's inner workings to every access.
   */
  @Test
  void firstCompilerDoesNotInlineVarHandles() {
    Map<String, Integer> sizes = new HashMap<>();
    MethodSizes.of(ModuleCompiler.classFile(CompiledSupport.class))
        .forEach(
            (method, size) -> {
              if (method.matches("memory(Read|Write)(Short|Int|Long|Float|Double)\\(.*")) {
                sizes.put(method, size);
              }
            });
    assertEquals(10, sizes.size());
    sizes.values().removeIf(size -> size > C1_MAX_INLINE_SIZE);
    assertEquals(Map.of(), sizes);
  }

  /** See {@link TableCalls}: C1 must not copy a table access to every indirect call. */
  @Test
  void firstCompilerDoesNotInlineIndirectCalls() throws IOException {
    Map<String, Integer> sizes = new HashMap<>();
    try (InputStream in =
        PyodideDistribution.class.getResourceAsStream("generated/PyodideMachine.class")) {
      MethodSizes.of(in.readAllBytes())
          .forEach(
              (method, size) -> {
                if (method.startsWith("call_indirect_")) {
                  sizes.put(method, size);
                }
              });
    }
    assertTrue(sizes.size() > 50, "types: " + sizes.size());
    sizes.values().removeIf(size -> size > C1_MAX_INLINE_SIZE);
    assertEquals(Map.of(), sizes);
  }

  /** Tells the depth of the operand stack at each target of a jump back. */
  private abstract static class LoopHeads extends MethodVisitor {
    private final Map<Label, Integer> depth = new HashMap<>();
    private final Set<Label> waiting = new HashSet<>();

    LoopHeads() {
      super(Opcodes.ASM9);
    }

    abstract void loop(int stack);

    @Override
    public void visitLabel(Label label) {
      depth.put(label, 0);
      waiting.add(label);
    }

    @Override
    public void visitFrame(int type, int locals, Object[] local, int stacked, Object[] stack) {
      int height = type == Opcodes.F_SAME1 ? 1 : type == Opcodes.F_FULL ? stacked : 0;
      waiting.forEach(label -> depth.put(label, height));
      waiting.clear();
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
      waiting.clear();
      Integer stack = depth.get(label);
      if (stack != null) {
        loop(stack);
      }
    }
  }
}
