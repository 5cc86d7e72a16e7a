package io.pyrunr.executor.internal.fs;

/** File type bits, permission bits and flags of {@code open}, as musl defines them. */
public final class FileMode {
  public static final int S_IFMT = 0170000;
  public static final int S_IFSOCK = 0140000;
  public static final int S_IFLNK = 0120000;
  public static final int S_IFREG = 0100000;
  public static final int S_IFBLK = 0060000;
  public static final int S_IFDIR = 0040000;
  public static final int S_IFCHR = 0020000;
  public static final int S_IFIFO = 0010000;

  public static final int O_RDONLY = 0;
  public static final int O_WRONLY = 1;
  public static final int O_RDWR = 2;
  public static final int O_ACCMODE = 3;
  public static final int O_CREAT = 0100;
  public static final int O_EXCL = 0200;
  public static final int O_TRUNC = 01000;
  public static final int O_APPEND = 02000;
  public static final int O_NONBLOCK = 04000;
  public static final int O_DIRECTORY = 0200000;
  public static final int O_NOFOLLOW = 0400000;
  public static final int O_CLOEXEC = 02000000;
  public static final int O_PATH = 010000000;
  public static final int O_TMPFILE = 020000000;

  /** Permission to read, to write, to execute or search: bits of {@code access}. */
  public static final int R_OK = 4;

  public static final int W_OK = 2;
  public static final int X_OK = 1;

  private FileMode() {}
}
