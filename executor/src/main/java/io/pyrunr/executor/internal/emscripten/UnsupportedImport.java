package io.pyrunr.executor.internal.emscripten;

/**
 * The program called an import that has no counterpart here: most belong to the JavaScript bridge.
 */
public final class UnsupportedImport extends HostFailure {
  private static final long serialVersionUID = 1L;

  private final String function;

  UnsupportedImport(String module, String function) {
    super(
        "host function "
            + module
            + "."
            + function
            + " is not available: there is no JavaScript engine in the JVM; do without the modules js, pyodide_js and pyodide.ffi");
    this.function = function;
  }

  /** The import's name. */
  public String function() {
    return function;
  }
}
