package io.pyrunr.executor.internal.emscripten;

/** The program called {@code exit} or {@code _exit}. */
public final class ProcessExit extends HostFailure {
  private static final long serialVersionUID = 1L;

  private final int code;

  ProcessExit(int code) {
    super("the interpreter exited with code " + code);
    this.code = code;
  }

  public int code() {
    return code;
  }
}
