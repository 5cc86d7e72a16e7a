package io.pyrunr.executor.internal.io;

/** Threads that Python can run on. */
public final class BigStackThread {
  /**
   * Stack of such a thread, in bytes: address space, committed as it is used. CPython's own limits
   * on C recursion assume native frames; as Java frames, interpreted ones above all, they are
   * several times larger.
   */
  private static final long STACK = 1L << 30;

  private BigStackThread() {}

  /** A daemon thread, not yet started. */
  public static Thread of(Runnable work, String name) {
    Thread thread = new Thread(null, work, name, STACK);
    thread.setDaemon(true);
    return thread;
  }

  /** Does some work on such a thread and waits for it; what it throws is thrown here. */
  public static void run(Runnable work, String name) throws InterruptedException {
    Throwable[] failure = new Throwable[1];
    Thread thread = of(work, name);
    thread.setUncaughtExceptionHandler((t, e) -> failure[0] = e);
    thread.start();
    thread.join();
    if (failure[0] instanceof Error error) {
      throw error;
    }
    if (failure[0] instanceof RuntimeException exception) {
      throw exception;
    }
  }
}
