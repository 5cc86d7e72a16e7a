package io.pyrunr.executor.internal.fs;

/**
 * What stands behind a character device file: Java code that answers reads and takes writes. Called
 * on the interpreter's thread.
 */
public interface Device {
  /**
   * Fills {@code target} from {@code offset}.
   *
   * @return bytes delivered, at most {@code length}; 0 is end of file
   */
  default int read(byte[] target, int offset, int length) {
    return 0;
  }

  /**
   * Takes bytes.
   *
   * @return bytes taken, at most {@code length}
   */
  default int write(byte[] source, int offset, int length) {
    return length;
  }

  /**
   * True if {@code lseek} succeeds. The position stays 0, as that of Linux's memory devices does.
   */
  default boolean seekable() {
    return false;
  }

  /** Empty to read, and swallows what is written. */
  Device NULL =
      new Device() {
        @Override
        public boolean seekable() {
          return true;
        }
      };

  /** Endless zeros. */
  Device ZERO =
      new Device() {
        @Override
        public int read(byte[] target, int offset, int length) {
          java.util.Arrays.fill(target, offset, offset + length, (byte) 0);
          return length;
        }

        @Override
        public boolean seekable() {
          return true;
        }
      };

  /** Not there: opening it fails as it does in a process without a controlling terminal. */
  Device ABSENT = new Device() {};
}
