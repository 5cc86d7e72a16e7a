package io.pyrunr.executor.internal.fs;

/**
 * Error numbers as Emscripten's C library knows them: those of WASI (wasi-libc {@code
 * __errno_values.h}), not Linux's.
 */
public final class Errno {
  public static final int EACCES = 2;
  public static final int EAFNOSUPPORT = 5;
  public static final int EAGAIN = 6;
  public static final int EBADF = 8;
  public static final int EBUSY = 10;
  public static final int EEXIST = 20;
  public static final int EFAULT = 21;
  public static final int EFBIG = 22;
  public static final int EHOSTUNREACH = 23;
  public static final int EINTR = 27;
  public static final int EINVAL = 28;
  public static final int EISDIR = 31;
  public static final int ELOOP = 32;
  public static final int EMFILE = 33;
  public static final int ENAMETOOLONG = 37;
  public static final int ENODEV = 43;
  public static final int ENOENT = 44;
  public static final int ENOMEM = 48;
  public static final int ENOSPC = 51;
  public static final int ENOSYS = 52;
  public static final int ENOTCONN = 53;
  public static final int ENOTDIR = 54;
  public static final int ENOTEMPTY = 55;
  public static final int ENOTSOCK = 57;
  public static final int ENOTTY = 59;
  public static final int ENXIO = 60;
  public static final int EOVERFLOW = 61;
  public static final int EPERM = 63;
  public static final int EPIPE = 64;
  public static final int EPROTONOSUPPORT = 66;
  public static final int ERANGE = 68;
  public static final int ESPIPE = 70;
  public static final int EOPNOTSUPP = 138;

  private Errno() {}
}
