package io.pyrunr.wasm.jvm;

import io.pyrunr.wasm.runtime.CompiledSupport;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.SimpleRemapper;

/**
 * The class file that Chicory's compiler copies into every compiled module: Chicory's own support
 * class with the methods of {@link CompiledSupport} in place of those of the same signature.
 */
final class SupportClass {
  private static final String OURS = Type.getInternalName(CompiledSupport.class);

  private SupportClass() {}

  static byte[] bytes(Class<?> chicorySupport) {
    String theirs = Type.getInternalName(chicorySupport);
    ClassReader ours = new ClassReader(classFile(CompiledSupport.class));
    Set<String> replaced = new HashSet<>();
    ours.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            replaced.add(name + descriptor);
            return null;
          }
        },
        ClassReader.SKIP_CODE);

    ClassWriter writer = new ClassWriter(0);
    // Chicory's methods first; its own helper class is asked for by name, so the name stays.
    new ClassReader(classFile(chicorySupport))
        .accept(
            new MemoryLink(
                new ClassVisitor(Opcodes.ASM9, writer) {
                  @Override
                  public MethodVisitor visitMethod(
                      int access,
                      String name,
                      String descriptor,
                      String signature,
                      String[] exceptions) {
                    return replaced.contains(name + descriptor) && !name.startsWith("<")
                        ? null
                        : super.visitMethod(access, name, descriptor, signature, exceptions);
                  }

                  @Override
                  public void visitEnd() {
                    addOurs(ours, theirs, writer);
                    super.visitEnd();
                  }
                }),
            0);
    return writer.toByteArray();
  }

  private static void addOurs(ClassReader ours, String theirs, ClassWriter writer) {
    ours.accept(
        new ClassRemapper(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(
                  int access,
                  String name,
                  String descriptor,
                  String signature,
                  String[] exceptions) {
                return name.startsWith("<")
                    ? null
                    : writer.visitMethod(access, name, descriptor, signature, exceptions);
              }
            },
            new SimpleRemapper(Opcodes.ASM9, OURS, theirs)),
        0);
  }

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
