package io.pyrunr.executor.internal.fs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A directory. One that stands for a folder of the base layer makes inodes for its children when
 * they are asked for, and for all of them before it is listed or changed.
 */
final class Directory extends Inode {
  private LinkedHashMap<String, Inode> entries = new LinkedHashMap<>();

  /** The folder whose children are not all in {@link #entries} yet, otherwise null. */
  private BaseLayer.Folder pending;

  private Directory parent;
  private String name;
  private int subdirectories;

  Directory(Volume volume, int permissions) {
    super(volume, FileMode.S_IFDIR | permissions);
  }

  Directory(Volume volume, BaseLayer.Folder origin) {
    super(volume, FileMode.S_IFDIR | origin.permissions(), origin, 1);
    pending = origin;
    subdirectories = origin.subfolders();
  }

  /** Makes this directory the root: it is its own parent. */
  void becomeRoot() {
    parent = this;
    name = "";
  }

  Directory parent() {
    return parent;
  }

  /** The name it has in its parent. */
  String name() {
    return name;
  }

  @Override
  public int links() {
    // Its entry in the parent, its own ".", and each child's "..".
    return super.links() == 0 ? 0 : 2 + subdirectories;
  }

  boolean removed() {
    return super.links() == 0;
  }

  @Override
  public long size() {
    return 4096;
  }

  Inode lookup(String child) {
    Inode found = entries.get(child);
    if (found == null && pending != null) {
      BaseLayer.Node node = pending.child(child);
      if (node != null) {
        found = materialise(child, node);
      }
    }
    return found;
  }

  private Inode materialise(String child, BaseLayer.Node node) {
    Inode inode;
    if (node instanceof BaseLayer.Folder folder) {
      Directory directory = new Directory(volume, folder);
      directory.parent = this;
      directory.name = child;
      inode = directory;
    } else if (node instanceof BaseLayer.File file) {
      inode = new RegularFile(volume, file);
    } else {
      inode = new SymbolicLink(volume, (BaseLayer.Link) node);
    }
    entries.put(child, inode);
    return inode;
  }

  private void complete() {
    if (pending != null) {
      // In the folder's own order, whatever was looked up before.
      LinkedHashMap<String, Inode> before = entries;
      entries = new LinkedHashMap<>();
      for (Map.Entry<String, BaseLayer.Node> each : pending.children().entrySet()) {
        Inode known = before.get(each.getKey());
        if (known == null) {
          materialise(each.getKey(), each.getValue());
        } else {
          entries.put(each.getKey(), known);
        }
      }
      pending = null;
    }
  }

  boolean isEmpty() {
    complete();
    return entries.isEmpty();
  }

  /** One line of a listing. */
  record Entry(String name, long number, int type) {}

  List<Entry> list() {
    complete();
    List<Entry> list = new ArrayList<>(entries.size() + 2);
    list.add(new Entry(".", number(), FileMode.S_IFDIR));
    list.add(new Entry("..", parent.number(), FileMode.S_IFDIR));
    entries.forEach((key, inode) -> list.add(new Entry(key, inode.number(), inode.type())));
    return list;
  }

  /** Adds an entry and counts the link. */
  void put(String child, Inode inode) {
    complete();
    markModified();
    inode.addLinks(1);
    entries.put(child, inode);
    if (inode instanceof Directory directory) {
      directory.touch();
      directory.parent = this;
      directory.name = child;
      subdirectories++;
    }
  }

  /** Removes an entry and uncounts the link. */
  void remove(String child) {
    complete();
    markModified();
    Inode inode = entries.remove(child);
    if (inode instanceof Directory) {
      subdirectories--;
    }
    inode.addLinks(-1);
  }

  /** True if this directory is {@code other} or lies below it. */
  boolean isWithin(Directory other) {
    Directory each = this;
    while (each != other) {
      if (each.parent == each) {
        return false;
      }
      each = each.parent;
    }
    return true;
  }

  @Override
  int read(ByteSpace space, int address, int length, long position) {
    throw PosixException.of(Errno.EISDIR);
  }

  @Override
  int write(ByteSpace space, int address, int length, long position) {
    throw PosixException.of(Errno.EISDIR);
  }

  @Override
  void truncate(long size) {
    throw PosixException.of(Errno.EISDIR);
  }

  @Override
  boolean seekable() {
    return true;
  }

  @Override
  Runnable saveContent() {
    LinkedHashMap<String, Inode> oldEntries = entries;
    BaseLayer.Folder oldPending = pending;
    Directory oldParent = parent;
    String oldName = name;
    int oldSubdirectories = subdirectories;
    entries = new LinkedHashMap<>(oldEntries);
    return () -> {
      entries = oldEntries;
      pending = oldPending;
      parent = oldParent;
      name = oldName;
      subdirectories = oldSubdirectories;
    };
  }
}
