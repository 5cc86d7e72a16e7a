package io.pyrunr.executor.internal.fs;

import static io.pyrunr.executor.internal.fs.FileMode.O_CREAT;
import static io.pyrunr.executor.internal.fs.FileMode.O_DIRECTORY;
import static io.pyrunr.executor.internal.fs.FileMode.O_NOFOLLOW;
import static io.pyrunr.executor.internal.fs.FileMode.O_RDONLY;
import static io.pyrunr.executor.internal.fs.FileMode.O_RDWR;
import static io.pyrunr.executor.internal.fs.Posix.fails;
import static io.pyrunr.executor.internal.fs.VirtualFileSystem.AT_FDCWD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DirectoryTest {
  private final Posix posix = new Posix();

  @Test
  void listsBaseAndOwnEntries() {
    assertEquals(List.of("lib", "tmp"), posix.list("/"));
    posix.write("/lib/pkg/c.py", "c");
    posix.unlink("/lib/pkg/a.py");
    assertEquals(List.of("b.py", "c.py"), posix.list("/lib/pkg"));
    assertEquals(List.of("a.py", "b.py"), new Posix().list("/lib/pkg"));
  }

  @Test
  void listingKeepsBaseOrderWhateverWasLookedUpFirst() {
    posix.stat("/lib/pkg/b.py");
    assertEquals(List.of("a.py", "b.py"), posix.list("/lib/pkg"));
  }

  @Test
  void listingSurvivesRemovals() {
    for (int i = 0; i < 20; i++) {
      posix.write("/tmp/" + i, "");
    }
    int fd = posix.open("/tmp", O_RDONLY);
    List<String> seen = new ArrayList<>();
    boolean all = false;
    while (!all) {
      int[] room = {3};
      all = posix.fs.file(fd).list((name, inode, type, next) -> room[0]-- > 0 && seen.add(name));
      seen.stream().filter(name -> !name.startsWith(".")).forEach(this::unlinkIfThere);
    }
    assertEquals(22, seen.size());
    assertTrue(posix.list("/tmp").isEmpty());
    posix.fs.file(fd).seek(0, 0);
    List<String> again = new ArrayList<>();
    posix.fs.file(fd).list((name, inode, type, next) -> again.add(name));
    assertEquals(List.of(".", ".."), again);
  }

  private void unlinkIfThere(String name) {
    try {
      posix.unlink("/tmp/" + name);
    } catch (PosixException e) {
      assertEquals(Errno.ENOENT, e.errno());
    }
  }

  @Test
  void makingAndRemovingErrors() {
    posix.mkdir("/tmp/d");
    posix.mkdir("/tmp/d/e/");
    posix.write("/tmp/f", "");
    fails(Errno.EEXIST, () -> posix.mkdir("/tmp/d"));
    fails(Errno.EEXIST, () -> posix.mkdir("/"));
    fails(Errno.ENOENT, () -> posix.mkdir("/tmp/no/where"));
    fails(Errno.ENOTDIR, () -> posix.mkdir("/tmp/f/x"));
    fails(Errno.ENOTEMPTY, () -> posix.rmdir("/tmp/d"));
    fails(Errno.ENOTDIR, () -> posix.rmdir("/tmp/f"));
    fails(Errno.ENOENT, () -> posix.rmdir("/tmp/none"));
    fails(Errno.EBUSY, () -> posix.rmdir("/"));
    fails(Errno.EINVAL, () -> posix.rmdir("/tmp/d/."));
    fails(Errno.EISDIR, () -> posix.unlink("/tmp/d"));
    fails(Errno.ENOENT, () -> posix.unlink("/tmp/none"));
    fails(Errno.ENOTDIR, () -> posix.unlink("/tmp/f/"));
    posix.rmdir("/tmp/d/e");
    posix.rmdir("/tmp/d");
    fails(Errno.ENOTEMPTY, () -> posix.rmdir("/lib/pkg"));
  }

  @Test
  void directoryPermissions() {
    posix.mkdir("/tmp/d");
    posix.write("/tmp/d/f", "");
    posix.chmod("/tmp/d", 0555);
    fails(Errno.EACCES, () -> posix.write("/tmp/d/g", ""));
    fails(Errno.EACCES, () -> posix.unlink("/tmp/d/f"));
    fails(Errno.EACCES, () -> posix.mkdir("/tmp/d/x"));
    fails(Errno.EACCES, () -> posix.symlink("x", "/tmp/d/x"));
    fails(Errno.EACCES, () -> posix.rename("/tmp/d/f", "/tmp/f"));
    posix.chmod("/tmp/d", 0666);
    fails(Errno.EACCES, () -> posix.stat("/tmp/d/f"));
    fails(Errno.EACCES, () -> posix.fs.changeDirectory("/tmp/d"));
    posix.chmod("/tmp/d", 0333);
    fails(Errno.EACCES, () -> posix.open("/tmp/d", O_RDONLY));
  }

  @Test
  void linkCounts() {
    assertEquals(2, posix.stat("/tmp").links());
    posix.mkdir("/tmp/a");
    posix.mkdir("/tmp/b");
    assertEquals(4, posix.stat("/tmp").links());
    posix.rename("/tmp/a", "/tmp/b/a");
    assertEquals(3, posix.stat("/tmp").links());
    assertEquals(3, posix.stat("/tmp/b").links());
    posix.rmdir("/tmp/b/a");
    assertEquals(2, posix.stat("/tmp/b").links());
    assertEquals(3, posix.stat("/lib").links());
  }

  @Test
  void workingDirectory() {
    assertEquals("/", posix.fs.workingDirectory());
    posix.mkdir("/tmp/a");
    posix.fs.changeDirectory("/tmp/a");
    posix.write("f", "x");
    assertEquals("x", posix.read("/tmp/a/f"));
    posix.rename("/tmp/a", "/tmp/b");
    assertEquals("/tmp/b", posix.fs.workingDirectory());
    fails(Errno.ENOTDIR, () -> posix.fs.changeDirectory("f"));
    fails(Errno.ENOENT, () -> posix.fs.changeDirectory("nope"));
    posix.unlink("f");
    posix.rmdir("/tmp/b");
    fails(Errno.ENOENT, () -> posix.fs.workingDirectory());
    fails(Errno.ENOENT, () -> posix.write("g", ""));
    fails(Errno.ENOENT, () -> posix.mkdir("g"));
    posix.fs.changeDirectory("..");
    assertEquals("/tmp", posix.fs.workingDirectory());
  }

  @Test
  void atCallsStartFromTheDescriptor() {
    posix.mkdir("/tmp/a");
    int dir = posix.open("/tmp/a", O_RDONLY | O_DIRECTORY);
    posix.fs.close(posix.fs.open(dir, "f", O_RDWR | O_CREAT, 0600));
    assertEquals(0, posix.fs.lookup(dir, "f", true).size());
    posix.rename("/tmp/a", "/tmp/b");
    posix.fs.rename(dir, "f", AT_FDCWD, "/tmp/g");
    assertEquals(List.of("b", "g"), posix.list("/tmp"));
    int file = posix.open("/tmp/g", O_RDONLY);
    fails(Errno.ENOTDIR, () -> posix.fs.lookup(file, "x", true));
    fails(Errno.EBADF, () -> posix.fs.lookup(99, "x", true));
    assertEquals(posix.stat("/lib").number(), posix.fs.lookup(99, "/lib", true).number());
    assertEquals(posix.stat("/tmp/b").number(), posix.fs.lookupDescriptor(dir).number());
    posix.fs.changeDirectory(dir);
    assertEquals("/tmp/b", posix.fs.workingDirectory());
  }

  @Test
  void symbolicLinks() {
    posix.symlink("../lib", "/tmp/l");
    assertEquals("base content", posix.read("/tmp/l/base.txt"));
    assertEquals("base content", posix.read("/lib/link"));
    assertEquals("../lib", posix.fs.readLink(AT_FDCWD, "/tmp/l"));
    assertEquals(FileMode.S_IFLNK, posix.lstat("/tmp/l").type());
    assertEquals(FileMode.S_IFDIR, posix.lstat("/tmp/l/").type());
    assertEquals(6, posix.lstat("/tmp/l").size());
    fails(Errno.EINVAL, () -> posix.fs.readLink(AT_FDCWD, "/lib"));
    fails(Errno.EEXIST, () -> posix.symlink("x", "/tmp/l"));
    fails(Errno.ENOENT, () -> posix.symlink("", "/tmp/m"));
    fails(Errno.ELOOP, () -> posix.open("/tmp/l", O_RDONLY | O_NOFOLLOW));
    fails(Errno.ENOTDIR, () -> posix.rmdir("/tmp/l"));
    fails(Errno.EOPNOTSUPP, () -> posix.fs.setPermissions(posix.lstat("/tmp/l"), 0));
    posix.symlink("new", "/tmp/dangling");
    fails(Errno.ENOENT, () -> posix.stat("/tmp/dangling"));
    fails(Errno.EEXIST, () -> posix.open("/tmp/dangling", O_RDWR | O_CREAT | FileMode.O_EXCL));
    posix.write("/tmp/dangling", "through");
    assertEquals("through", posix.read("/tmp/new"));
    posix.unlink("/tmp/dangling");
    assertEquals("through", posix.read("/tmp/new"));
  }

  @Test
  void cyclesAndLongNamesEnd() {
    posix.symlink("b", "/tmp/a");
    posix.symlink("a", "/tmp/b");
    fails(Errno.ELOOP, () -> posix.stat("/tmp/a"));
    posix.symlink("self/x", "/tmp/self");
    fails(Errno.ELOOP, () -> posix.stat("/tmp/self"));
    String longest = "n".repeat(FileName.NAME_MAX);
    posix.write("/tmp/" + longest, "");
    fails(Errno.ENAMETOOLONG, () -> posix.write("/tmp/" + longest + "n", ""));
    fails(Errno.ENAMETOOLONG, () -> posix.stat("/tmp/" + "x/".repeat(2048)));
    fails(Errno.ENAMETOOLONG, () -> posix.symlink("x".repeat(4096), "/tmp/s"));
    posix.symlink("y/".repeat(2000), "/tmp/long");
    fails(Errno.ENAMETOOLONG, () -> posix.stat("/tmp/long/" + "z/".repeat(100)));
    posix.fs.changeDirectory("/tmp");
    for (int i = 0; i < 30; i++) {
      posix.mkdir(longest + i % 10 == "" ? "" : "d".repeat(200));
      posix.fs.changeDirectory("d".repeat(200));
    }
    fails(Errno.ENAMETOOLONG, () -> posix.fs.workingDirectory());
  }

  @Test
  void renameReplacesAndRefuses() {
    posix.write("/tmp/a", "A");
    posix.write("/tmp/b", "B");
    posix.rename("/tmp/a", "/tmp/b");
    assertEquals("A", posix.read("/tmp/b"));
    assertEquals(List.of("b"), posix.list("/tmp"));
    posix.rename("/tmp/b", "/tmp/b");
    posix.mkdir("/tmp/d");
    posix.mkdir("/tmp/e");
    posix.write("/tmp/e/x", "");
    fails(Errno.EISDIR, () -> posix.rename("/tmp/b", "/tmp/d"));
    fails(Errno.ENOTDIR, () -> posix.rename("/tmp/d", "/tmp/b"));
    fails(Errno.ENOTEMPTY, () -> posix.rename("/tmp/d", "/tmp/e"));
    fails(Errno.EINVAL, () -> posix.rename("/tmp/d", "/tmp/d/sub"));
    fails(Errno.ENOENT, () -> posix.rename("/tmp/none", "/tmp/x"));
    fails(Errno.ENOENT, () -> posix.rename("/tmp/b", "/tmp/no/x"));
    fails(Errno.EBUSY, () -> posix.rename("/", "/tmp/x"));
    fails(Errno.EBUSY, () -> posix.rename("/tmp/b", "/"));
    fails(Errno.EBUSY, () -> posix.rename("/tmp/.", "/x"));
    fails(Errno.ENOTDIR, () -> posix.rename("/tmp/b", "/tmp/newdir/"));
    posix.rename("/tmp/e", "/tmp/d");
    assertEquals(List.of("x"), posix.list("/tmp/d"));
    posix.symlink("d", "/tmp/link");
    posix.rename("/tmp/link", "/tmp/link2");
    assertEquals("d", posix.fs.readLink(AT_FDCWD, "/tmp/link2"));
    posix.rename("/lib/pkg", "/tmp/moved");
    assertEquals("aaa", posix.read("/tmp/moved/a.py"));
    assertEquals(posix.stat("/tmp").number(), posix.stat("/tmp/moved/..").number());
  }

  @Test
  void replacedFileStaysReadableWhileOpen() {
    posix.write("/tmp/a", "new");
    posix.write("/tmp/b", "old");
    int fd = posix.open("/tmp/b", O_RDONLY);
    posix.rename("/tmp/a", "/tmp/b");
    assertEquals("old", posix.read(fd, 9));
    assertEquals("new", posix.read("/tmp/b"));
  }

  @Test
  void timesAndOwners() {
    posix.write("/tmp/f", "");
    Inode file = posix.stat("/tmp/f");
    posix.fs.setTimes(file, new Timestamp(-5, 1), new Timestamp(1L << 40, 999_999_999));
    assertEquals(new Timestamp(-5, 1), file.accessed());
    assertEquals(new Timestamp(1L << 40, 999_999_999), file.modified());
    posix.fs.setTimes(file, null, new Timestamp(7, 0));
    assertEquals(-5, file.accessed().seconds());
    posix.fs.setOwner(file, 1000, -1);
    assertEquals(1000, file.uid());
    assertEquals(0, file.gid());
    Timestamp before = posix.stat("/tmp").modified();
    assertNotEquals(new Timestamp(7, 0), before);
  }

  @Test
  void specialFiles() {
    posix.fs.makeNode(AT_FDCWD, "/tmp/fifo", FileMode.S_IFIFO | 0644);
    posix.fs.makeNode(AT_FDCWD, "/tmp/file", 0600);
    fails(Errno.EPERM, () -> posix.fs.makeNode(AT_FDCWD, "/tmp/c", FileMode.S_IFCHR));
    fails(Errno.EEXIST, () -> posix.fs.makeNode(AT_FDCWD, "/tmp/file", 0600));
    fails(Errno.EINVAL, () -> posix.fs.makeNode(AT_FDCWD, "/tmp/c", 0150000));
    int writer = posix.open("/tmp/fifo", O_RDWR);
    posix.write(writer, "through");
    assertEquals("through", posix.read(posix.open("/tmp/fifo", O_RDONLY), 20));
    posix.fs.host().registerDevice("/dev/tty", Device.ABSENT);
    fails(Errno.ENXIO, () -> posix.open("/dev/tty", O_RDWR));
    posix.fs.host().registerDevice("/dev/zero", Device.ZERO);
    int zero = posix.open("/dev/zero", O_RDWR);
    assertEquals("\0".repeat(100_000), posix.read(zero, 100_000));
    assertEquals(3, posix.write(zero, "abc"));
    assertEquals(0, posix.fs.file(zero).seek(0, 0)); // as on Linux
    fails(Errno.EINVAL, () -> posix.fs.file(zero).truncate(0));
  }

  @Test
  void namesAreBytes() {
    String invalid = "/tmp/\u00ff\u00fe";
    posix.write(invalid, "x");
    assertEquals(List.of("\u00ff\u00fe"), posix.list("/tmp"));
    posix.fs.host().writeFile("/tmp/gr\u00fcn", new byte[1]);
    assertEquals("gr\u00fcn", FileName.text(posix.list("/tmp").get(1)));
  }
}
