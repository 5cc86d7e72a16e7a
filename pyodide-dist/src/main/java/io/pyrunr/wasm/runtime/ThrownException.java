package io.pyrunr.wasm.runtime;

import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.WasmException;

/**
 * A wasm exception that takes no stack trace: a longjmp is control flow, often from deep below, and
 * walking the stack would cost more than the rest of it.
 */
public final class ThrownException extends WasmException {
  public ThrownException(Instance instance, int tag, long[] args) {
    super(instance, tag, args);
  }

  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // it does nothing
  public Throwable fillInStackTrace() {
    return this;
  }
}
