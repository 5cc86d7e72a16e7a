package io.pyrunr.executor.internal.fs;

/**
 * A socket that leads nowhere. Python may create, bind and close one, as in Pyodide; what would
 * need a network fails.
 */
final class Socket extends Inode {
  Socket(Volume volume) {
    super(volume, FileMode.S_IFSOCK | 0777);
  }

  @Override
  int read(ByteSpace space, int address, int length, long position) {
    throw PosixException.of(Errno.ENOTCONN);
  }

  @Override
  int write(ByteSpace space, int address, int length, long position) {
    throw PosixException.of(Errno.ENOTCONN);
  }

  @Override
  int poll(int flags) {
    return OpenFile.POLLOUT | OpenFile.POLLHUP;
  }

  @Override
  Runnable saveContent() {
    return () -> {};
  }
}
