package io.pyrunr.executor.internal.runtime;

import io.pyrunr.executor.internal.emscripten.DynamicLinking;

/**
 * {@code dlopen(NULL)}: the symbols of the main module, for {@code ctypes.pythonapi}. Side modules
 * are refused.
 */
final class MainProgram implements DynamicLinking {
  private final Exports exports;

  MainProgram(Exports exports) {
    this.exports = exports;
  }

  @Override
  public void open(int handle) throws DynamicLinkingException {
    throw new DynamicLinkingException(
        "compiled extension modules are not supported; use a pure-Python wheel");
  }

  @Override
  public int symbol(int handle, String name) throws DynamicLinkingException {
    int found = exports.symbol(name);
    if (found == 0) {
      throw new DynamicLinkingException("symbol " + name + " not found in the main program");
    }
    return found;
  }
}
