package io.pyrunr.executor.internal.emscripten;

import io.pyrunr.executor.internal.fs.Errno;
import io.pyrunr.executor.internal.fs.FileMode;
import io.pyrunr.executor.internal.fs.PosixException;
import io.pyrunr.executor.internal.fs.VirtualFileSystem;
import io.pyrunr.wasm.runtime.LinearMemory;

/** Sockets: they can be created and closed, as in Pyodide, but there is no network behind them. */
final class SocketCalls {
  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;
  private static final int SOCK_STREAM = 1;
  private static final int SOCK_DGRAM = 2;
  private static final int SOL_SOCKET = 1;
  private static final int SO_ERROR = 4;

  private final LinearMemory memory;
  private final VirtualFileSystem files;

  SocketCalls(LinearMemory memory, VirtualFileSystem files) {
    this.memory = memory;
    this.files = files;
  }

  void register(ImportTable table) {
    table.syscall("__syscall_socket", a -> create((int) a[0], (int) a[1]));
    table.syscall("__syscall_connect", a -> fail((int) a[0], Errno.EHOSTUNREACH));
    table.syscall(
        "__syscall_bind",
        a -> {
          requireSocket((int) a[0]);
          return 0; // whatever the address: nobody will ever come to it
        });
    table.syscall("__syscall_listen", a -> fail((int) a[0], Errno.EOPNOTSUPP));
    table.syscall("__syscall_accept4", a -> fail((int) a[0], Errno.EOPNOTSUPP));
    for (String name : new String[] {"recvfrom", "recvmsg", "sendmsg", "sendto", "getpeername"}) {
      table.syscall("__syscall_" + name, a -> fail((int) a[0], Errno.ENOTCONN));
    }
    table.syscall("__syscall_getsockname", a -> name((int) a[0], (int) a[1], (int) a[2]));
    table.syscall("__syscall_getsockopt", a -> option(a));
  }

  private void requireSocket(int descriptor) {
    if (files.file(descriptor).inode().type() != FileMode.S_IFSOCK) {
      throw PosixException.of(Errno.ENOTSOCK);
    }
  }

  private long fail(int descriptor, int errno) {
    requireSocket(descriptor);
    throw PosixException.of(errno);
  }

  private long create(int family, int type) {
    if (family != AF_INET && family != AF_INET6) {
      throw PosixException.of(Errno.EAFNOSUPPORT);
    }
    int kind = type & 0xf;
    if (kind != SOCK_STREAM && kind != SOCK_DGRAM) {
      throw PosixException.of(Errno.EPROTONOSUPPORT);
    }
    return files.socket(type);
  }

  private long name(int descriptor, int address, int length) {
    requireSocket(descriptor);
    memory.fill((byte) 0, address, address + 16);
    memory.writeShort(address, (short) AF_INET);
    memory.writeI32(length, 16);
    return 0;
  }

  private long option(long[] a) {
    requireSocket((int) a[0]);
    if (a[1] == SOL_SOCKET && a[2] == SO_ERROR) {
      memory.writeI32((int) a[3], 0);
      memory.writeI32((int) a[4], 4);
      return 0;
    }
    throw PosixException.of(Errno.EOPNOTSUPP);
  }
}
