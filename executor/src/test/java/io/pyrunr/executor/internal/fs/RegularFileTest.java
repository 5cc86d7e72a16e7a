package io.pyrunr.executor.internal.fs;

import static io.pyrunr.executor.internal.fs.FileMode.O_APPEND;
import static io.pyrunr.executor.internal.fs.FileMode.O_CREAT;
import static io.pyrunr.executor.internal.fs.FileMode.O_EXCL;
import static io.pyrunr.executor.internal.fs.FileMode.O_PATH;
import static io.pyrunr.executor.internal.fs.FileMode.O_RDONLY;
import static io.pyrunr.executor.internal.fs.FileMode.O_RDWR;
import static io.pyrunr.executor.internal.fs.FileMode.O_TRUNC;
import static io.pyrunr.executor.internal.fs.FileMode.O_WRONLY;
import static io.pyrunr.executor.internal.fs.Posix.bytes;
import static io.pyrunr.executor.internal.fs.Posix.fails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RegularFileTest {
  private final Posix posix = new Posix();

  @Test
  void readsBackWhatWasWritten() {
    posix.write("/tmp/f", "hello");
    assertEquals("hello", posix.read("/tmp/f"));
    assertEquals(5, posix.stat("/tmp/f").size());
  }

  @Test
  void appendsAtTheEndWhereverThePositionIs() {
    posix.write("/tmp/f", "one");
    int fd = posix.open("/tmp/f", O_RDWR | O_APPEND);
    posix.fs.file(fd).seek(0, 0);
    posix.write(fd, "two");
    assertEquals("onetwo", posix.read("/tmp/f"));
    assertEquals(6, posix.fs.file(fd).position());
  }

  @Test
  void seekPastTheEndLeavesZeros() {
    int fd = posix.create("/tmp/f");
    posix.fs.file(fd).seek(100_000, 0);
    posix.write(fd, "x");
    byte[] content = posix.fs.host().readFile("/tmp/f");
    assertEquals(100_001, content.length);
    byte[] expected = new byte[100_001];
    expected[100_000] = 'x';
    assertArrayEquals(expected, content);
  }

  @Test
  void aHugeHoleCostsLittle() {
    long before = posix.fs.usedBytes();
    int fd = posix.create("/tmp/f");
    posix.fs.file(fd).truncate(1L << 39);
    assertEquals(1L << 39, posix.stat("/tmp/f").size());
    assertEquals(before, posix.fs.usedBytes());
    assertEquals("\0\0", posix.read(fd, 2));
  }

  @Test
  void whatWasCutOffReadsAsZerosAfterGrowing() {
    int fd = posix.create("/tmp/f");
    posix.write(fd, "abcdef");
    posix.fs.file(fd).truncate(2);
    posix.fs.file(fd).truncate(6);
    assertEquals("ab\0\0\0\0", posix.read("/tmp/f"));
    int base = posix.open("/lib/base.txt", O_RDWR);
    posix.fs.file(base).truncate(4);
    posix.fs.file(base).truncate(6);
    assertEquals("base\0\0", posix.read("/lib/base.txt"));
  }

  @Test
  void writingToABaseFileKeepsItsOtherBytes() {
    int fd = posix.open("/lib/base.txt", O_RDWR);
    posix.write(fd, "BASE");
    assertEquals("BASE content", posix.read("/lib/base.txt"));
    assertEquals("base content", new Posix().read("/lib/base.txt"));
  }

  @Test
  void unlinkedFileLivesUntilItsLastDescriptorCloses() {
    long before = posix.fs.usedBytes();
    int fd = posix.create("/tmp/f");
    posix.write(fd, "data");
    int copy = posix.fs.duplicate(fd, 0, false);
    posix.unlink("/tmp/f");
    fails(Errno.ENOENT, () -> posix.stat("/tmp/f"));
    posix.fs.close(fd);
    posix.fs.file(copy).seek(0, 0);
    assertEquals("data", posix.read(copy, 10));
    assertEquals(0, posix.fs.file(copy).inode().links());
    posix.fs.close(copy);
    assertEquals(before, posix.fs.usedBytes());
  }

  @Test
  void duplicatesShareThePosition() {
    int fd = posix.create("/tmp/f");
    posix.write(fd, "abcdef");
    int copy = posix.fs.duplicate(fd, 10, false);
    assertEquals(10, copy);
    posix.fs.file(fd).seek(2, 0);
    assertEquals("cd", posix.read(copy, 2));
    assertEquals("ef", posix.read(fd, 2));
    assertEquals(20, posix.fs.duplicateTo(fd, 20, true));
    assertEquals(true, posix.fs.closeOnExec(20));
    assertEquals(false, posix.fs.closeOnExec(fd));
  }

  @Test
  void positionalTransfersLeaveThePosition() {
    int fd = posix.create("/tmp/f");
    posix.write(fd, "abcdef");
    byte[] buffer = new byte[3];
    assertEquals(3, posix.fs.file(fd).readAt(ByteSpace.of(buffer), 0, 3, 1));
    assertArrayEquals(bytes("bcd"), buffer);
    posix.fs.file(fd).writeAt(ByteSpace.of(bytes("X")), 0, 1, 0);
    assertEquals(6, posix.fs.file(fd).position());
    fails(Errno.EINVAL, () -> posix.fs.file(fd).readAt(ByteSpace.of(buffer), 0, 3, -1));
  }

  @Test
  void seekErrors() {
    int fd = posix.create("/tmp/f");
    OpenFile file = posix.fs.file(fd);
    fails(Errno.EINVAL, () -> file.seek(-1, 0));
    fails(Errno.EINVAL, () -> file.seek(0, 7));
    file.seek(Long.MAX_VALUE, 0);
    fails(Errno.EOVERFLOW, () -> file.seek(1, 1));
    fails(Errno.EFBIG, () -> posix.write(fd, "x"));
    assertEquals("", posix.read(fd, 1));
  }

  @Test
  void accessModesAreEnforced() {
    posix.write("/tmp/f", "abc");
    int reader = posix.open("/tmp/f", O_RDONLY);
    int writer = posix.open("/tmp/f", O_WRONLY);
    int path = posix.open("/tmp/f", O_PATH);
    fails(Errno.EBADF, () -> posix.write(reader, "x"));
    fails(Errno.EBADF, () -> posix.read(writer, 1));
    fails(Errno.EBADF, () -> posix.read(path, 1));
    fails(Errno.EINVAL, () -> posix.fs.file(reader).truncate(0));
    fails(Errno.EINVAL, () -> posix.fs.file(writer).truncate(-1));
    fails(Errno.EINVAL, () -> posix.open("/tmp/f", 3));
  }

  @Test
  void openErrors() {
    posix.write("/tmp/f", "abc");
    fails(Errno.EEXIST, () -> posix.open("/tmp/f", O_RDWR | O_CREAT | O_EXCL));
    fails(Errno.ENOENT, () -> posix.open("/tmp/none", O_RDWR));
    fails(Errno.ENOENT, () -> posix.open("", O_RDWR));
    fails(Errno.ENOTDIR, () -> posix.open("/tmp/f/x", O_RDWR | O_CREAT));
    fails(Errno.ENOTDIR, () -> posix.open("/tmp/f/", O_RDONLY));
    fails(Errno.ENOTDIR, () -> posix.open("/tmp/f", O_RDONLY | FileMode.O_DIRECTORY));
    fails(Errno.EISDIR, () -> posix.open("/tmp", O_WRONLY));
    fails(Errno.EISDIR, () -> posix.open("/tmp", O_RDONLY | O_CREAT));
    fails(Errno.EISDIR, () -> posix.open("/tmp/new/", O_RDWR | O_CREAT));
    fails(Errno.EBADF, () -> posix.fs.file(77));
    fails(Errno.EBADF, () -> posix.fs.close(-1));
  }

  @Test
  void permissionsBindTheOwner() {
    posix.write("/tmp/f", "abc");
    posix.chmod("/tmp/f", 0444);
    fails(Errno.EACCES, () -> posix.open("/tmp/f", O_WRONLY));
    fails(Errno.EACCES, () -> posix.open("/tmp/f", O_RDONLY | O_TRUNC));
    fails(Errno.EACCES, () -> posix.fs.truncate(VirtualFileSystem.AT_FDCWD, "/tmp/f", 0));
    posix.chmod("/tmp/f", 0200);
    fails(Errno.EACCES, () -> posix.open("/tmp/f", O_RDONLY));
    fails(
        Errno.EACCES,
        () -> posix.fs.checkAccess(VirtualFileSystem.AT_FDCWD, "/tmp/f", FileMode.R_OK, true));
    posix.fs.setUmask(077);
    posix.write("/tmp/g", "");
    assertEquals(0100600, posix.stat("/tmp/g").mode());
  }

  @Test
  void unnamedTemporaryFile() {
    int inodes = posix.fs.usedInodes();
    int fd = posix.open("/tmp", FileMode.O_TMPFILE | FileMode.O_DIRECTORY | O_RDWR);
    posix.write(fd, "secret");
    assertEquals(0, posix.list("/tmp").size());
    posix.fs.close(fd);
    assertEquals(inodes, posix.fs.usedInodes());
  }

  @Test
  void descriptorsRunOutCleanly() {
    for (int i = 0; i < DescriptorTable.MAXIMUM; i++) {
      posix.create("/tmp/f");
    }
    fails(Errno.EMFILE, () -> posix.create("/tmp/g"));
    fails(Errno.ENOENT, () -> posix.stat("/tmp/g"));
    fails(Errno.EMFILE, () -> posix.fs.duplicate(0, 0, false));
    fails(Errno.EMFILE, () -> posix.fs.pipe(0));
    posix.fs.close(100);
    fails(Errno.EMFILE, () -> posix.fs.pipe(0));
    assertEquals(100, posix.create("/tmp/g"));
  }

  /** Any sequence of writes, cuts and reads against a plain array. */
  @Test
  void behavesLikeAnArray() {
    for (int seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      int fd = posix.create("/tmp/r" + seed);
      OpenFile file = posix.fs.file(fd);
      byte[] model = new byte[0];
      for (int step = 0; step < 200; step++) {
        int at = random.nextInt(60_000);
        byte[] data = new byte[random.nextInt(40_000)];
        switch (random.nextInt(4)) {
          case 0 -> {
            random.nextBytes(data);
            file.writeAt(ByteSpace.of(data), 0, data.length, at);
            if (data.length > 0) {
              model = Arrays.copyOf(model, Math.max(model.length, at + data.length));
              System.arraycopy(data, 0, model, at, data.length);
            }
          }
          case 1 -> {
            file.truncate(at);
            model = Arrays.copyOf(model, at);
          }
          case 2 -> posix.fs.snapshot();
          default -> {
            int count = file.readAt(ByteSpace.of(data), 0, data.length, at);
            int expected = Math.max(0, Math.min(data.length, model.length - at));
            assertEquals(expected, count);
            if (count > 0) {
              assertArrayEquals(
                  Arrays.copyOfRange(model, at, at + count), Arrays.copyOf(data, count));
            }
          }
        }
      }
      assertArrayEquals(model, posix.fs.host().readFile("/tmp/r" + seed));
    }
  }
}
