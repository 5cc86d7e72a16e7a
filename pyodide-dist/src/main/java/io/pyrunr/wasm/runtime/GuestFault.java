package io.pyrunr.wasm.runtime;

import com.dylibso.chicory.runtime.WasmRuntimeException;

/**
 * The program gave an address, or what should lead to one, where nothing is. A trap in compiled
 * code; to a system call it is {@code EFAULT}.
 */
public final class GuestFault extends WasmRuntimeException {
  private static final long serialVersionUID = 1L;

  public GuestFault(String message) {
    super(message);
  }
}
