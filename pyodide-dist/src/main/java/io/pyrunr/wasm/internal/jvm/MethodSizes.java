package io.pyrunr.wasm.internal.jvm;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;

/** Reads how many bytes of bytecode each method of a class file has (JVM specification, 4.7.3). */
public final class MethodSizes {
  private MethodSizes() {}

  /** Bytes of bytecode by method name and descriptor. */
  public static Map<String, Integer> of(byte[] classFile) {
    Map<String, Integer> sizes = new TreeMap<>();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile))) {
      in.skipNBytes(8); // magic, version
      String[] constants = constantPool(in);
      in.skipNBytes(6); // access, this, super
      in.skipNBytes(2L * in.readUnsignedShort()); // interfaces
      int fields = in.readUnsignedShort();
      for (int i = 0; i < fields; i++) {
        in.skipNBytes(6);
        attributes(in, constants);
      }
      int methods = in.readUnsignedShort();
      for (int i = 0; i < methods; i++) {
        in.skipNBytes(2);
        String name = constants[in.readUnsignedShort()] + constants[in.readUnsignedShort()];
        sizes.put(name, attributes(in, constants));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return sizes;
  }

  private static String[] constantPool(DataInputStream in) throws IOException {
    String[] constants = new String[in.readUnsignedShort()];
    for (int i = 1; i < constants.length; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1 -> constants[i] = in.readUTF();
        case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
        case 5, 6 -> {
          in.skipNBytes(8);
          i++; // takes two entries
        }
        case 7, 8, 16, 19, 20 -> in.skipNBytes(2);
        case 15 -> in.skipNBytes(3);
        default -> throw new IOException("constant of kind " + tag);
      }
    }
    return constants;
  }

  /** Skips attributes; returns the length of the code if there is some. */
  private static int attributes(DataInputStream in, String[] constants) throws IOException {
    int code = 0;
    int count = in.readUnsignedShort();
    for (int i = 0; i < count; i++) {
      String name = constants[in.readUnsignedShort()];
      int length = in.readInt();
      if (name.equals("Code")) {
        in.skipNBytes(4); // stack, locals
        code = in.readInt();
        in.skipNBytes(length - 8L);
      } else {
        in.skipNBytes(length);
      }
    }
    return code;
  }
}
