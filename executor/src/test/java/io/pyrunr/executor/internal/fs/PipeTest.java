package io.pyrunr.executor.internal.fs;

import static io.pyrunr.executor.internal.fs.Posix.fails;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PipeTest {
  private final Posix posix = new Posix();

  @Test
  void deliversInOrderAndEnds() {
    int[] ends = posix.fs.pipe(0);
    posix.write(ends[1], "abc");
    posix.write(ends[1], "def");
    assertEquals(6, posix.fs.file(ends[0]).available());
    assertEquals("abcd", posix.read(ends[0], 4));
    assertEquals("ef", posix.read(ends[0], 100));
    fails(Errno.EAGAIN, () -> posix.read(ends[0], 1));
    posix.fs.close(ends[1]);
    assertEquals("", posix.read(ends[0], 1));
  }

  @Test
  void writingWithoutAReaderFails() {
    int[] ends = posix.fs.pipe(0);
    int copy = posix.fs.duplicate(ends[0], 0, false);
    posix.fs.close(ends[0]);
    posix.write(ends[1], "still heard");
    posix.fs.close(copy);
    fails(Errno.EPIPE, () -> posix.write(ends[1], "x"));
  }

  @Test
  void endsAreOneWayAndCannotSeek() {
    int[] ends = posix.fs.pipe(0);
    fails(Errno.EBADF, () -> posix.write(ends[0], "x"));
    fails(Errno.EBADF, () -> posix.read(ends[1], 1));
    fails(Errno.ESPIPE, () -> posix.fs.file(ends[0]).seek(0, 1));
    fails(Errno.ESPIPE, () -> posix.fs.file(ends[0]).readAt(ByteSpace.of(new byte[1]), 0, 1, 0));
    assertEquals(FileMode.S_IFIFO, posix.fs.file(ends[0]).inode().type());
  }

  @Test
  void saysWhenItIsReady() {
    int[] ends = posix.fs.pipe(0);
    assertEquals(0, posix.fs.file(ends[0]).poll());
    assertEquals(OpenFile.POLLOUT, posix.fs.file(ends[1]).poll());
    posix.write(ends[1], "x");
    assertEquals(OpenFile.POLLIN, posix.fs.file(ends[0]).poll());
    posix.fs.close(ends[1]);
    assertEquals(OpenFile.POLLIN | OpenFile.POLLHUP, posix.fs.file(ends[0]).poll());
  }

  @Test
  void countsAgainstTheQuotaAndGivesItBack() {
    long before = posix.fs.usedBytes();
    int inodes = posix.fs.usedInodes();
    posix.fs.allowBytes(10_000);
    int[] ends = posix.fs.pipe(0);
    posix.write(ends[1], "x".repeat(9_000));
    fails(Errno.ENOSPC, () -> posix.write(ends[1], "x".repeat(9_000)));
    assertEquals(9_000, posix.read(ends[0], 20_000).length());
    posix.write(ends[1], "x".repeat(9_000));
    posix.fs.close(ends[0]);
    posix.fs.close(ends[1]);
    assertEquals(before, posix.fs.usedBytes());
    assertEquals(inodes, posix.fs.usedInodes());
  }
}
