package io.pyrunr.executor.internal.interpreter;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * One thread that watches the deadlines of all interpreters of the JVM.
 *
 * <p>Arming a deadline must cost next to nothing, since most jobs end long before theirs. So the
 * thread is woken only for a deadline earlier than the moment it sleeps until anyway; a deadline
 * that was cancelled costs nothing but a later look at the list.
 *
 * <p>Thread-safe.
 */
final class Watchdog {
  /** Something with a deadline. */
  interface Watched {
    /** {@link System#nanoTime} of the next action, or {@link #NEVER}. */
    long deadline();

    /** Called on the watchdog's thread once {@link #deadline} is past; must be quick. */
    void expire();
  }

  static final long NEVER = Long.MAX_VALUE;

  private static final Watchdog SHARED = new Watchdog();

  private final List<Watched> watched = new CopyOnWriteArrayList<>();
  private final Thread thread;

  /** When the thread looks at the list again. Relative to {@link #origin}, so that it compares. */
  private volatile long wakeUp = NEVER;

  private final long origin = System.nanoTime();

  private Watchdog() {
    thread = new Thread(this::watch, "pyrunr-watchdog");
    thread.setDaemon(true);
    thread.setPriority(Thread.MAX_PRIORITY);
    thread.start();
  }

  static Watchdog shared() {
    return SHARED;
  }

  /** Nanoseconds on the watchdog's clock, never near overflow. */
  long now() {
    return System.nanoTime() - origin;
  }

  void add(Watched member) {
    watched.add(member);
  }

  void remove(Watched member) {
    watched.remove(member);
  }

  /** To be called after a member's deadline came nearer. */
  void deadlineSet(long deadline) {
    if (deadline < wakeUp) {
      LockSupport.unpark(thread);
    }
  }

  private void watch() {
    while (true) {
      try {
        watchOnce();
      } catch (OutOfMemoryError e) {
        // Some job has filled the heap; to stop it takes this thread.
        Thread.onSpinWait();
      }
    }
  }

  private void watchOnce() {
    // Said before the list is read: a deadline set from here on either is seen below or sees a
    // wakeUp that is too late for it and unparks.
    wakeUp = NEVER;
    long now = now();
    long next = NEVER;
    for (Watched member : watched) {
      long deadline = member.deadline();
      if (deadline <= now) {
        member.expire();
        deadline = member.deadline();
      }
      next = Math.min(next, deadline);
    }
    wakeUp = next;
    if (next == NEVER) {
      LockSupport.park(this);
    } else if (next > now) {
      LockSupport.parkNanos(this, next - now);
    }
  }
}
