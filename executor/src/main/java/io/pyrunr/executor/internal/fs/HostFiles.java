package io.pyrunr.executor.internal.fs;

import static io.pyrunr.executor.internal.fs.FileMode.O_CREAT;
import static io.pyrunr.executor.internal.fs.FileMode.O_RDONLY;
import static io.pyrunr.executor.internal.fs.FileMode.O_TRUNC;
import static io.pyrunr.executor.internal.fs.FileMode.O_WRONLY;
import static io.pyrunr.executor.internal.fs.VirtualFileSystem.AT_FDCWD;

import java.util.List;

/**
 * The host's own access to a file system: it makes the tree a program starts with, and reads what
 * programs leave. Paths are plain text here, not in wire form, unless a program gave them.
 */
public final class HostFiles {
  private final VirtualFileSystem files;
  private final Volume volume;
  private final Directory root;
  private int nextDevice = (5 << 8) | 1;

  HostFiles(VirtualFileSystem files, Volume volume, Directory root) {
    this.files = files;
    this.volume = volume;
    this.root = root;
  }

  /** Makes a device file; folders above it are made as needed, an existing file is replaced. */
  public void registerDevice(String path, Device device) {
    DeviceFile file = new DeviceFile(volume, 0666, device, nextDevice++);
    place(FileName.wire(path), file);
  }

  /** Opens descriptors 0, 1 and 2 on {@code /dev/stdin}, {@code stdout} and {@code stderr}. */
  public void openStandardStreams() {
    files.open(AT_FDCWD, "/dev/stdin", O_RDONLY, 0);
    files.open(AT_FDCWD, "/dev/stdout", O_WRONLY, 0);
    files.open(AT_FDCWD, "/dev/stderr", O_WRONLY, 0);
  }

  /** Makes a directory with those above it, whatever the umask; one that exists is left alone. */
  public void makeDirectories(String path, int permissions) {
    directory(FileName.wire(path), permissions);
  }

  /** Writes a whole file; folders above it are made as needed. */
  public void writeFile(String path, byte[] content) {
    String wire = FileName.wire(path);
    parent(wire);
    int descriptor = files.open(AT_FDCWD, wire, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    try {
      files.file(descriptor).write(ByteSpace.of(content), 0, content.length);
    } finally {
      files.close(descriptor);
    }
  }

  /** Reads a whole file. */
  public byte[] readFile(String path) {
    if (files.lookup(AT_FDCWD, FileName.wire(path), true) instanceof RegularFile file) {
      return file.toByteArray();
    }
    throw PosixException.of(Errno.EINVAL);
  }

  /**
   * The content of a file of the read-only layer, shared by all interpreters.
   *
   * @return null if {@code path} is anything else, or was written to
   */
  public BaseLayer.Content baseContent(String path) {
    return files.lookup(AT_FDCWD, path, true) instanceof RegularFile file
        ? file.baseContent()
        : null;
  }

  /** Names in a directory, sorted; none if it is not one or does not exist. */
  public List<String> names(String path) {
    Inode inode;
    try {
      inode = files.lookup(AT_FDCWD, path, true);
    } catch (PosixException e) {
      return List.of();
    }
    return inode instanceof Directory directory
        ? directory.list().stream().map(Directory.Entry::name).sorted().toList()
        : List.of();
  }

  /** Gives an inode a name, in the place of what has that name. */
  private void place(String path, Inode inode) {
    Directory folder = parent(path);
    String name = lastName(path);
    if (folder.lookup(name) != null) {
      folder.remove(name);
    }
    folder.put(name, inode);
  }

  /** Makes a directory unless something has that name. */
  private void directory(String path, int permissions) {
    Directory folder = parent(path);
    String name = lastName(path);
    if (folder.lookup(name) == null) {
      folder.put(name, new Directory(volume, permissions));
    }
  }

  private static String lastName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** The directory a path's last name is in, made if need be. */
  private Directory parent(String path) {
    Directory at = root;
    String[] parts = path.split("/", -1);
    for (int i = 0; i < parts.length - 1; i++) {
      if (parts[i].isEmpty()) {
        continue;
      }
      Inode child = at.lookup(parts[i]);
      if (child == null) {
        child = new Directory(volume, 0755);
        at.put(parts[i], child);
      }
      if (!(child instanceof Directory directory)) {
        throw PosixException.of(Errno.ENOTDIR);
      }
      at = directory;
    }
    return at;
  }
}
