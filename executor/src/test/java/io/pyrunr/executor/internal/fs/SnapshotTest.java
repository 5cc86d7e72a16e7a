package io.pyrunr.executor.internal.fs;

import static io.pyrunr.executor.internal.fs.FileMode.O_RDWR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Random;
import org.junit.jupiter.api.Test;

class SnapshotTest {
  /** Whatever a job does, a restore gives the state before it, as often as wanted. */
  @Test
  void restoreEqualsTheSnapshotAfterAnyJob() {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      Posix posix = new Posix();
      new RandomJob(posix, random).run(random.nextInt(200));
      posix.fs.changeDirectory("/");
      FileSystemSnapshot snapshot = posix.fs.snapshot();
      String before = Tree.describe(posix.fs);
      long bytes = posix.fs.usedBytes();
      int inodes = posix.fs.usedInodes();
      for (int job = 0; job < 8; job++) {
        new RandomJob(posix, random).run(random.nextInt(200));
        posix.fs.restore(snapshot);
        assertEquals(before, Tree.describe(posix.fs), "seed " + seed + " job " + job);
        assertEquals(bytes, posix.fs.usedBytes());
        assertEquals(inodes, posix.fs.usedInodes());
      }
    }
  }

  @Test
  void snapshotsNest() {
    for (int seed = 0; seed < 30; seed++) {
      Random random = new Random(seed);
      Posix posix = new Posix();
      FileSystemSnapshot outer = posix.fs.snapshot();
      String first = Tree.describe(posix.fs);
      new RandomJob(posix, random).run(100);
      FileSystemSnapshot inner = posix.fs.snapshot();
      String second = Tree.describe(posix.fs);
      new RandomJob(posix, random).run(100);
      posix.fs.restore(inner);
      assertEquals(second, Tree.describe(posix.fs));
      new RandomJob(posix, random).run(100);
      posix.fs.restore(outer);
      assertEquals(first, Tree.describe(posix.fs));
      new RandomJob(posix, random).run(100);
      posix.fs.restore(outer);
      assertEquals(first, Tree.describe(posix.fs));
    }
  }

  @Test
  void readingLeavesNothingToUndo() {
    Posix posix = new Posix();
    FileSystemSnapshot snapshot = posix.fs.snapshot();
    int fd = posix.open("/lib/base.txt", FileMode.O_RDONLY);
    posix.read(fd, 4);
    posix.list("/lib/pkg");
    assertEquals(snapshot.mark, posix.fs.snapshot().mark);
  }

  @Test
  void aFileClosedByTheJobIsOpenAgain() {
    Posix posix = new Posix();
    int fd = posix.create("/tmp/f");
    posix.write(fd, "abc");
    posix.unlink("/tmp/f");
    FileSystemSnapshot snapshot = posix.fs.snapshot();
    for (int i = 0; i < 3; i++) {
      posix.fs.file(fd).seek(0, 0);
      assertEquals("abc", posix.read(fd, 9));
      posix.write(fd, "more");
      posix.fs.close(fd);
      posix.fs.restore(snapshot);
      assertEquals(3, posix.fs.file(fd).position());
      assertEquals(3, posix.fs.file(fd).inode().size());
    }
  }

  @Test
  void aPipeKeepsWhatWasInIt() {
    Posix posix = new Posix();
    int[] ends = posix.fs.pipe(0);
    posix.write(ends[1], "waiting");
    FileSystemSnapshot snapshot = posix.fs.snapshot();
    posix.read(ends[0], 3);
    posix.write(ends[1], "more");
    posix.fs.close(ends[1]);
    posix.fs.restore(snapshot);
    assertEquals("waiting", posix.read(ends[0], 99));
    posix.write(ends[1], "x");
  }

  @Test
  void foreignAndStaleSnapshotsAreRefused() {
    Posix posix = new Posix();
    assertThrows(IllegalArgumentException.class, () -> posix.fs.restore(new Posix().fs.snapshot()));
    FileSystemSnapshot outer = posix.fs.snapshot();
    posix.write("/tmp/f", "");
    FileSystemSnapshot inner = posix.fs.snapshot();
    posix.fs.restore(outer);
    assertThrows(IllegalArgumentException.class, () -> posix.fs.restore(inner));
    posix.open("/lib/base.txt", O_RDWR);
  }
}
