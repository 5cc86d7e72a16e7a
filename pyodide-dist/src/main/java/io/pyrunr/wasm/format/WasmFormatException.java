package io.pyrunr.wasm.format;

/** A module is damaged or uses a feature the passes do not know. */
public final class WasmFormatException extends RuntimeException {
  public WasmFormatException(String message) {
    super(message);
  }

  public WasmFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
