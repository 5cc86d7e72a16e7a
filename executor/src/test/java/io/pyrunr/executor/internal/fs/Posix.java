package io.pyrunr.executor.internal.fs;

import static io.pyrunr.executor.internal.fs.VirtualFileSystem.AT_FDCWD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.function.Executable;

/** Short words for what the tests of this package do with a file system. */
final class Posix {
  final VirtualFileSystem fs;

  Posix() {
    this(
        BaseLayer.builder()
            .file("/lib/base.txt", BaseLayer.Content.of(bytes("base content")))
            .file("/lib/pkg/a.py", BaseLayer.Content.lazy(3, () -> bytes("aaa")))
            .file("/lib/pkg/b.py", BaseLayer.Content.of(bytes("b")))
            .link("/lib/link", "base.txt")
            .build());
  }

  Posix(BaseLayer base) {
    fs = new VirtualFileSystem(base);
    fs.host().makeDirectories("/tmp", 01777);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  static void fails(int errno, Executable action) {
    assertEquals(errno, assertThrows(PosixException.class, action).errno());
  }

  int open(String path, int flags) {
    return fs.open(AT_FDCWD, path, flags, 0666);
  }

  int create(String path) {
    return open(path, FileMode.O_RDWR | FileMode.O_CREAT | FileMode.O_TRUNC);
  }

  void write(String path, String text) {
    int fd = create(path);
    write(fd, text);
    fs.close(fd);
  }

  int write(int fd, String text) {
    return fs.file(fd).write(ByteSpace.of(bytes(text)), 0, text.length());
  }

  String read(int fd, int length) {
    byte[] buffer = new byte[length];
    int count = fs.file(fd).read(ByteSpace.of(buffer), 0, length);
    return new String(buffer, 0, count, StandardCharsets.ISO_8859_1);
  }

  String read(String path) {
    return new String(fs.host().readFile(path), StandardCharsets.ISO_8859_1);
  }

  void mkdir(String path) {
    fs.makeDirectory(AT_FDCWD, path, 0777);
  }

  void symlink(String target, String path) {
    fs.makeSymbolicLink(target, AT_FDCWD, path);
  }

  void rename(String from, String to) {
    fs.rename(AT_FDCWD, from, AT_FDCWD, to);
  }

  void unlink(String path) {
    fs.unlink(AT_FDCWD, path);
  }

  void rmdir(String path) {
    fs.removeDirectory(AT_FDCWD, path);
  }

  Inode stat(String path) {
    return fs.lookup(AT_FDCWD, path, true);
  }

  Inode lstat(String path) {
    return fs.lookup(AT_FDCWD, path, false);
  }

  void chmod(String path, int mode) {
    fs.setPermissions(stat(path), mode);
  }

  List<String> list(String path) {
    int fd = open(path, FileMode.O_RDONLY | FileMode.O_DIRECTORY);
    List<String> names = new ArrayList<>();
    fs.file(fd).list((name, inode, type, next) -> names.add(name));
    fs.close(fd);
    return names.subList(2, names.size());
  }
}
