package io.pyrunr.executor.internal.image;

import io.pyrunr.executor.internal.link.ModulesImage;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How {@link ModulesImage} are written in a {@link BootImageFile}. */
final class ModulesImageData {
  private static final int MAXIMUM = 1 << 20;

  private ModulesImageData() {}

  static void write(DataOutputStream out, ModulesImage linked) throws IOException {
    out.writeInt(linked.modules().size());
    for (ModulesImage.Module module : linked.modules()) {
      out.writeUTF(module.path());
      out.writeInt(module.memoryBase());
      out.writeInt(module.tableBase());
      out.writeBoolean(module.global());
      out.writeInt(module.root());
      out.writeInt(module.dependencies().size());
      for (int dependency : module.dependencies()) {
        out.writeInt(dependency);
      }
      writeMap(out, module.addedEntries());
      out.writeInt(module.globals().size());
      for (long value : module.globals()) {
        out.writeLong(value);
      }
    }
    writeMap(out, linked.handles());
  }

  private static void writeMap(DataOutputStream out, Map<Integer, Integer> map) throws IOException {
    out.writeInt(map.size());
    for (Map.Entry<Integer, Integer> each : new TreeMap<>(map).entrySet()) {
      out.writeInt(each.getKey());
      out.writeInt(each.getValue());
    }
  }

  static ModulesImage read(DataInputStream in) throws IOException {
    int count = BootImageFile.length(in, MAXIMUM);
    List<ModulesImage.Module> modules = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      modules.add(
          new ModulesImage.Module(
              in.readUTF(),
              in.readInt(),
              in.readInt(),
              in.readBoolean(),
              in.readInt(),
              readInts(in),
              readMap(in),
              readLongs(in)));
    }
    return new ModulesImage(modules, readMap(in));
  }

  private static List<Integer> readInts(DataInputStream in) throws IOException {
    List<Integer> values = new ArrayList<>();
    for (int left = BootImageFile.length(in, MAXIMUM); left > 0; left--) {
      values.add(in.readInt());
    }
    return values;
  }

  private static List<Long> readLongs(DataInputStream in) throws IOException {
    List<Long> values = new ArrayList<>();
    for (int left = BootImageFile.length(in, MAXIMUM); left > 0; left--) {
      values.add(in.readLong());
    }
    return values;
  }

  private static Map<Integer, Integer> readMap(DataInputStream in) throws IOException {
    Map<Integer, Integer> map = new TreeMap<>();
    for (int left = BootImageFile.length(in, MAXIMUM); left > 0; left--) {
      map.put(in.readInt(), in.readInt());
    }
    return map;
  }
}
