package io.pyrunr.executor.internal.pool;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A bounded queue of jobs that can be closed, which the JDK's cannot: a worker that waits for a job
 * must learn that none will come, and a submitter that waits for room that nobody will take his
 * job. Thread-safe.
 */
final class JobQueue {
  private final ArrayDeque<JobFuture> jobs = new ArrayDeque<>();
  private final int capacity;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final Condition work = lock.newCondition();
  private boolean closed;
  private Throwable reason;

  JobQueue(int capacity) {
    this.capacity = capacity;
  }

  /**
   * Adds a job, waiting while the queue is full.
   *
   * @param atOnce to add it even then
   * @throws RejectedExecutionException if the queue is closed
   */
  void put(JobFuture job, boolean atOnce) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!closed && !atOnce && jobs.size() >= capacity) {
        room.await();
      }
      if (closed) {
        throw reason == null
            ? new RejectedExecutionException("the Python executor is closed; it takes no more jobs")
            : new RejectedExecutionException(
                "the Python executor takes no jobs, its interpreters cannot run: "
                    + reason.getMessage(),
                reason);
      }
      jobs.add(job);
      work.signal();
    } finally {
      lock.unlock();
    }
  }

  /** The next job, or null if the queue is closed and empty. */
  JobFuture take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (jobs.isEmpty() && !closed) {
        work.await();
      }
      JobFuture job = jobs.poll();
      room.signal();
      return job;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Refuses further jobs; {@code because} may be null. Those inside stay until taken or drained.
   */
  void close(Throwable because) {
    lock.lock();
    try {
      closed = true;
      if (reason == null) {
        reason = because;
      }
      room.signalAll();
      work.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isEmpty() {
    lock.lock();
    try {
      return jobs.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Takes out all that is left. */
  List<JobFuture> drain() {
    lock.lock();
    try {
      List<JobFuture> rest = new ArrayList<>(jobs);
      jobs.clear();
      room.signalAll();
      return rest;
    } finally {
      lock.unlock();
    }
  }
}
