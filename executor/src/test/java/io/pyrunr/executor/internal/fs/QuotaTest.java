package io.pyrunr.executor.internal.fs;

import static io.pyrunr.executor.internal.fs.FileMode.O_RDWR;
import static io.pyrunr.executor.internal.fs.Posix.fails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class QuotaTest {
  @Test
  void writesWhatFitsThenRefuses() {
    Posix posix = new Posix();
    posix.fs.allowBytes(100_000);
    int fd = posix.create("/tmp/f");
    int written = posix.write(fd, "x".repeat(200_000));
    assertTrue(written > 80_000 && written < 100_000, "wrote " + written);
    fails(Errno.ENOSPC, () -> posix.write(fd, "x".repeat(200_000)));
    assertEquals(written, posix.stat("/tmp/f").size());
    posix.fs.close(fd);
    posix.unlink("/tmp/f");
    posix.write("/tmp/g", "x".repeat(50_000));
  }

  @Test
  void theTableOfAHugeSparseFileCounts() {
    Posix posix = new Posix();
    posix.fs.allowBytes(1 << 20);
    int fd = posix.create("/tmp/f");
    posix.fs.file(fd).seek((1L << 40) - 10, 0);
    fails(Errno.ENOSPC, () -> posix.write(fd, "x"));
  }

  @Test
  void inodesAreLimitedWhateverTheirKind() {
    Posix posix = new Posix();
    posix.fs.allowInodes(4);
    posix.write("/tmp/1", "");
    posix.mkdir("/tmp/2");
    posix.symlink("x", "/tmp/3");
    int[] pipe = posix.fs.pipe(0);
    fails(Errno.ENOSPC, () -> posix.write("/tmp/5", ""));
    fails(Errno.ENOSPC, () -> posix.mkdir("/tmp/5"));
    fails(Errno.ENOSPC, () -> posix.symlink("x", "/tmp/5"));
    fails(Errno.ENOSPC, () -> posix.fs.pipe(0));
    fails(Errno.ENOSPC, () -> posix.fs.socket(0));
    posix.fs.close(pipe[0]);
    posix.fs.close(pipe[1]);
    posix.write("/tmp/5", "");
    assertEquals(0, posix.fs.freeInodes());
  }

  @Test
  void targetsOfLinksCount() {
    Posix posix = new Posix();
    posix.fs.allowBytes(1000);
    int inodes = posix.fs.usedInodes();
    fails(Errno.ENOSPC, () -> posix.symlink("x".repeat(1001), "/tmp/l"));
    assertEquals(inodes, posix.fs.usedInodes());
    posix.symlink("x".repeat(1000), "/tmp/l");
    posix.unlink("/tmp/l");
    posix.symlink("x".repeat(1000), "/tmp/l");
  }

  /** Each operation fails once for want of space; nothing may be half done or lost. */
  @Test
  void aFailedOperationLeavesNoTrace() {
    List<Consumer<Posix>> operations =
        List.of(
            p -> p.write("/tmp/new", "text"),
            p -> p.mkdir("/tmp/dir"),
            p -> p.symlink("target", "/tmp/link"),
            p -> p.fs.pipe(0),
            p -> p.fs.socket(0),
            p -> p.fs.makeNode(VirtualFileSystem.AT_FDCWD, "/tmp/fifo", FileMode.S_IFIFO),
            p -> overwrite(p, "/tmp/old"));
    for (Consumer<Posix> operation : operations) {
      Posix posix = new Posix();
      posix.write("/tmp/old", "old");
      FileSystemSnapshot snapshot = posix.fs.snapshot();
      String before = Tree.describe(posix.fs);
      long bytes = posix.fs.usedBytes();
      int inodes = posix.fs.usedInodes();
      posix.fs.allowBytes(0);
      posix.fs.allowInodes(0);
      assertThrows(PosixException.class, () -> operation.accept(posix));
      assertEquals(before, Tree.describe(posix.fs));
      assertEquals(bytes, posix.fs.usedBytes());
      assertEquals(inodes, posix.fs.usedInodes());
      posix.fs.restore(snapshot);
      posix.fs.allowBytes(1 << 20);
      posix.fs.allowInodes(100);
      operation.accept(posix);
    }
  }

  private static void overwrite(Posix posix, String path) {
    int fd = posix.open(path, O_RDWR);
    try {
      posix.write(fd, "longer than it was".repeat(1000));
    } finally {
      posix.fs.close(fd);
    }
  }

  /** The account is right after any history: deleting everything brings it back to nothing. */
  @Test
  void nothingIsLeftWhenEverythingIsDeleted() {
    for (int seed = 0; seed < 30; seed++) {
      Posix posix = new Posix();
      posix.fs.allowBytes(300_000);
      RandomJob job = new RandomJob(posix, new Random(seed));
      job.run(300);
      job.removeEverything();
      assertEquals(0, posix.fs.usedInodes(), "seed " + seed);
      assertEquals(0, posix.fs.usedBytes(), "seed " + seed);
    }
  }

  /** A removed directory can still be reached as the parent of an open one, and opened again. */
  @Test
  void whatIsOpenedAgainCountsAgain() {
    Posix posix = new Posix();
    int inodes = posix.fs.usedInodes();
    posix.mkdir("/tmp/a");
    posix.mkdir("/tmp/a/b");
    int child = posix.open("/tmp/a/b", FileMode.O_RDONLY);
    posix.fs.changeDirectory("/tmp/a/b");
    posix.rmdir("/tmp/a/b");
    posix.rmdir("/tmp/a");
    assertEquals(inodes + 1, posix.fs.usedInodes(), "the open one");
    FileSystemSnapshot snapshot = posix.fs.snapshot();
    for (int i = 0; i < 3; i++) {
      int parent = posix.fs.open(child, "..", FileMode.O_RDONLY, 0);
      assertEquals(inodes + 2, posix.fs.usedInodes());
      posix.fs.close(parent);
      assertEquals(inodes + 1, posix.fs.usedInodes());
    }
    posix.fs.allowInodes(0);
    fails(Errno.ENOSPC, () -> posix.fs.open(child, "..", FileMode.O_RDONLY, 0));
    fails(Errno.ENOSPC, () -> posix.fs.changeDirectory(".."));
    assertEquals(inodes + 1, posix.fs.usedInodes());
    posix.fs.close(child);
    posix.fs.changeDirectory("/");
    assertEquals(inodes, posix.fs.usedInodes());
    posix.fs.allowInodes(0);
    posix.fs.restore(snapshot); // needs no room: it had it
    assertEquals(inodes + 1, posix.fs.usedInodes());
    posix.fs.close(child);
    posix.fs.changeDirectory("/");
    assertEquals(inodes, posix.fs.usedInodes());
  }
}
