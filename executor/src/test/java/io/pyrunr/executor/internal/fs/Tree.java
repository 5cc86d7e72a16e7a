package io.pyrunr.executor.internal.fs;

import static io.pyrunr.executor.internal.fs.VirtualFileSystem.AT_FDCWD;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A whole file system as text, to compare two states. */
final class Tree {
  private Tree() {}

  static String describe(VirtualFileSystem fs) {
    StringBuilder text = new StringBuilder();
    describe(fs, "/", text);
    for (int fd = 0; fd < DescriptorTable.MAXIMUM; fd++) {
      OpenFile file = fs.findFile(fd);
      if (file != null) {
        text.append("fd ").append(fd).append(" inode ").append(file.inode().number());
        text.append(" at ").append(file.position()).append(" flags ").append(file.flags());
        text.append(' ').append(fs.closeOnExec(fd)).append(' ').append(content(file.inode()));
        text.append('\n');
      }
    }
    for (int address = 0; address < RandomJob.ADDRESSES; address++) {
      OpenFile file = fs.findMapped(address);
      if (file != null) {
        text.append("mapped at ").append(address).append(' ').append(file.inode().number());
        text.append(' ').append(content(file.inode())).append('\n');
      }
    }
    try {
      text.append("cwd ").append(fs.workingDirectory());
    } catch (PosixException e) {
      text.append("cwd gone");
    }
    int mask = fs.setUmask(0);
    fs.setUmask(mask);
    return text.append(" umask ").append(mask).toString();
  }

  private static void describe(VirtualFileSystem fs, String path, StringBuilder text) {
    Inode inode = fs.lookup(AT_FDCWD, path, false);
    text.append(path).append(' ').append(inode.number());
    text.append(' ').append(Integer.toOctalString(inode.mode())).append(' ').append(inode.links());
    text.append(' ').append(inode.uid()).append(' ').append(inode.gid()).append(' ');
    text.append(inode.size()).append(' ').append(inode.accessed()).append(inode.modified());
    text.append(inode.changed()).append(' ').append(content(inode)).append('\n');
    if (inode instanceof Directory directory) {
      List<String> names = new ArrayList<>();
      directory.list().forEach(each -> names.add(each.name()));
      for (String name : names.subList(2, names.size())) {
        describe(fs, path.equals("/") ? "/" + name : path + "/" + name, text);
      }
    }
  }

  private static String content(Inode inode) {
    if (inode instanceof RegularFile file) {
      return file.size() + ":" + Arrays.hashCode(file.toByteArray());
    }
    return inode instanceof SymbolicLink link
        ? link.target()
        : inode instanceof Pipe pipe ? pipe.available() + " in pipe" : "";
  }
}
