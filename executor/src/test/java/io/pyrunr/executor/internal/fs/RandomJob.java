package io.pyrunr.executor.internal.fs;

import static io.pyrunr.executor.internal.fs.VirtualFileSystem.AT_FDCWD;

import java.util.Random;

/** Does random things to a file system; those that fail are as welcome as those that work. */
final class RandomJob {
  /** Files are mapped to addresses below. */
  static final int ADDRESSES = 6;

  private static final String[] NAMES = {"a", "b", "c", "base.txt", "pkg", "link", "a.py"};
  private static final String[] FOLDERS = {"/tmp", "/lib", "/lib/pkg", "/tmp/a", "/tmp/b", ""};
  private static final int[] FLAGS = {
    FileMode.O_RDWR | FileMode.O_CREAT,
    FileMode.O_WRONLY | FileMode.O_CREAT | FileMode.O_TRUNC,
    FileMode.O_RDONLY,
    FileMode.O_WRONLY | FileMode.O_APPEND,
    FileMode.O_RDONLY | FileMode.O_DIRECTORY,
    FileMode.O_RDWR | FileMode.O_TMPFILE
  };

  private final Posix posix;
  private final VirtualFileSystem fs;
  private final Random random;

  RandomJob(Posix posix, Random random) {
    this.posix = posix;
    this.fs = posix.fs;
    this.random = random;
  }

  void run(int steps) {
    for (int i = 0; i < steps; i++) {
      try {
        step();
      } catch (PosixException expected) {
        // as good as success
      }
    }
  }

  private String path() {
    String folder = FOLDERS[random.nextInt(FOLDERS.length)];
    return (folder.isEmpty() ? "" : folder + "/") + NAMES[random.nextInt(NAMES.length)];
  }

  private int descriptor() {
    return random.nextInt(12);
  }

  private void step() {
    switch (random.nextInt(24)) {
      case 0, 1, 2, 3 ->
          fs.open(AT_FDCWD, path(), FLAGS[random.nextInt(FLAGS.length)], random.nextInt(01000));
      case 4, 5, 6 -> posix.write(descriptor(), "x".repeat(random.nextInt(20_000)));
      case 7 -> posix.read(descriptor(), random.nextInt(20_000));
      case 8 -> fs.close(descriptor());
      case 9 -> posix.mkdir(path());
      case 10 -> posix.unlink(path());
      case 11 -> posix.rmdir(path());
      case 12, 13 -> posix.rename(path(), path());
      case 14 -> posix.symlink(path(), path());
      case 15 -> fs.file(descriptor()).truncate(random.nextInt(40_000));
      case 16 -> fs.duplicateTo(descriptor(), descriptor(), random.nextBoolean());
      case 17 -> fs.pipe(0);
      case 18 -> attributes();
      case 19 -> fs.map(random.nextInt(ADDRESSES), fs.file(descriptor()));
      case 20 -> fs.unmap(random.nextInt(ADDRESSES));
      case 21 -> fs.open(descriptor(), "..", FileMode.O_RDONLY, 0);
      case 22 -> fs.changeDirectory("..");
      default -> fs.file(descriptor()).seek(random.nextInt(30_000), 0);
    }
  }

  private void attributes() {
    switch (random.nextInt(5)) {
      case 0 -> posix.chmod(path(), 0700 | random.nextInt(01000));
      case 1 -> fs.setTimes(posix.lstat(path()), new Timestamp(random.nextInt(), 1), null);
      case 2 -> fs.setOwner(posix.stat(path()), random.nextInt(9), -1);
      case 3 -> fs.setUmask(random.nextInt(0100));
      default -> fs.changeDirectory(FOLDERS[random.nextInt(FOLDERS.length)]);
    }
  }

  /** Closes and deletes everything, the base layer's files included. */
  void removeEverything() {
    for (int fd = 0; fd < DescriptorTable.MAXIMUM; fd++) {
      if (fs.findFile(fd) != null) {
        fs.close(fd);
      }
    }
    for (int address = 0; address < ADDRESSES; address++) {
      fs.unmap(address);
    }
    fs.changeDirectory("/");
    removeBelow("");
  }

  private void removeBelow(String folder) {
    posix.chmod(folder + "/", 0755);
    for (String name : posix.list(folder + "/")) {
      String path = folder + "/" + name;
      if (posix.lstat(path) instanceof Directory) {
        removeBelow(path);
        posix.rmdir(path);
      } else {
        posix.unlink(path);
      }
    }
  }
}
