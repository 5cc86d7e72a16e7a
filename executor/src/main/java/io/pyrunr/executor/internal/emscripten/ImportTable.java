package io.pyrunr.executor.internal.emscripten;

import io.pyrunr.executor.internal.fs.Errno;
import io.pyrunr.executor.internal.fs.PosixException;
import io.pyrunr.wasm.runtime.GuestFault;
import java.util.HashMap;
import java.util.Map;

/**
 * Host functions by import name. The classes that implement a topic register theirs here; what
 * nobody registered fails with {@link UnsupportedImport} when it is called, not when the module is
 * linked.
 */
final class ImportTable {
  private static final long[] NOTHING = {};

  private final Map<String, HostCall> calls = new HashMap<>();

  /** A host function with a result; arguments and result are raw wasm values. */
  @FunctionalInterface
  interface Body {
    long call(long[] args);
  }

  /** A host function without a result. */
  @FunctionalInterface
  interface Action {
    void call(long[] args);
  }

  /** Registers a function whose result is returned as it is. */
  void value(String name, Body body) {
    add(name, args -> new long[] {body.call(args)});
  }

  /** Registers a function without a result. */
  void action(String name, Action action) {
    add(
        name,
        args -> {
          action.call(args);
          return NOTHING;
        });
  }

  /** Registers a system call: a failure returns the negative error number. */
  void syscall(String name, Body body) {
    add(
        name,
        args -> {
          long result;
          try {
            result = body.call(args);
          } catch (PosixException e) {
            result = -e.errno();
          } catch (GuestFault badAddress) {
            result = -Errno.EFAULT;
          }
          return new long[] {result};
        });
  }

  /** Registers a WASI call: success returns 0, a failure the error number. */
  void wasi(String name, Action action) {
    add(
        name,
        args -> {
          long result = 0;
          try {
            action.call(args);
          } catch (PosixException e) {
            result = e.errno();
          } catch (GuestFault badAddress) {
            result = Errno.EFAULT;
          }
          return new long[] {result};
        });
  }

  private void add(String name, HostCall call) {
    if (calls.put(name, call) != null) {
      throw new IllegalStateException("host function " + name + " is registered twice");
    }
  }

  boolean contains(String name) {
    return calls.containsKey(name);
  }

  /** The import's implementation. */
  HostCall call(String module, String name) {
    HostCall known = calls.get(name);
    if (known != null) {
      return known;
    }
    return args -> {
      if (name.startsWith("__syscall_")) {
        return new long[] {-Errno.ENOSYS}; // what a kernel says of a call it does not know
      }
      throw new UnsupportedImport(module, name);
    };
  }
}
