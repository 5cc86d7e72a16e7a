package io.pyrunr.executor.internal.emscripten;

/**
 * Loads side modules for {@code dlopen}. The handle is the address of Emscripten's {@code struct
 * dso}.
 */
public interface DynamicLinking {
  /**
   * Loads the library whose path is at {@code handle + 36}.
   *
   * @throws DynamicLinkingException if it cannot; the message becomes {@code dlerror}'s
   */
  void open(int handle) throws DynamicLinkingException;

  /**
   * Finds a symbol.
   *
   * @return table index of a function, address of a datum
   * @throws DynamicLinkingException if the library has no such symbol
   */
  int symbol(int handle, String name) throws DynamicLinkingException;

  /** A library or symbol is missing or broken. */
  final class DynamicLinkingException extends Exception {
    private static final long serialVersionUID = 1L;

    public DynamicLinkingException(String message) {
      super(message);
    }
  }
}
