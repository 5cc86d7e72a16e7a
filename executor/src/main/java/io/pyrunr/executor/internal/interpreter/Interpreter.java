package io.pyrunr.executor.internal.interpreter;

import io.pyrunr.executor.Limits;
import io.pyrunr.executor.PythonError;
import io.pyrunr.executor.PythonError.Kind;
import io.pyrunr.executor.PythonJob;
import io.pyrunr.executor.PythonResult;
import io.pyrunr.executor.PythonResult.Status;
import io.pyrunr.executor.internal.device.JobStreams;
import io.pyrunr.executor.internal.fs.FileSystemSnapshot;
import io.pyrunr.executor.internal.image.BootImage;
import io.pyrunr.executor.internal.image.BootImage.RandomState;
import io.pyrunr.executor.internal.image.PreparedPython;
import io.pyrunr.executor.internal.python.PythonBytes;
import io.pyrunr.executor.internal.python.PythonInstance;
import io.pyrunr.executor.internal.wheels.resolve.RequirementException;
import io.pyrunr.wasm.runtime.LinearMemory;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * One Python that runs job after job, each in a pristine state.
 *
 * <p>The way of a job: limits are set, the watchdog is armed, the bootstrap's {@code run} is called
 * with the job as bytes and returns the result as bytes. Then memory, globals, files and signals go
 * back to the boot image. If something went wrong that may have struck in the middle of the host's
 * own work, the instance is replaced by one made from the image; if the heap has no room for that,
 * before the next job.
 *
 * <p>Belongs to the thread that created it; {@link #cancel} and {@link #statistics} may be called
 * from any.
 */
public final class Interpreter implements AutoCloseable {
  /** What a job sees that requires nothing in particular: all wheels, with nothing to do for it. */
  private static final byte[] WHOLE_VIEW = {};

  private final PreparedPython prepared;
  private final int recycleAfter;
  private final BootImage image;
  private final JobStreams streams = new JobStreams();
  private final SecureRandom entropy = new SecureRandom();
  private final JobStopper stopper;

  private volatile PythonInstance runtime;
  private FileSystemSnapshot pristineFiles;
  private PythonBytes calls;
  private int jobsSinceRestore;

  private volatile InterpreterStatistics statistics = InterpreterStatistics.NONE;

  Interpreter(PreparedPython prepared, int recycleAfter) {
    this.prepared = prepared;
    this.recycleAfter = recycleAfter;
    image = prepared.image();
    instantiate();
    stopper = new JobStopper(Thread.currentThread(), this::signal);
  }

  /** While there is no instance nobody hears it; the stop by force that follows is heard. */
  private void signal(int number) {
    PythonInstance now = runtime;
    if (now != null) {
      now.signals().request(number);
    }
  }

  private void instantiate() {
    PythonInstance fresh = prepared.environment().newInstance(streams, image);
    fresh.load(image.state());
    pristineFiles = fresh.files().snapshot();
    calls = new PythonBytes(fresh);
    runtime = fresh;
    reseed();
  }

  /**
   * Runs a job and makes the interpreter ready for the next.
   *
   * @param job has its limits
   * @param ended called when the job has ended, before the restore: {@link #cancel} has nothing to
   *     stop any more
   */
  public PythonResult run(PythonJob job, Runnable ended) {
    Limits limits = job.limits();
    long start = System.nanoTime();
    JobReply reply = null;
    JobEnd end = null;
    stopper.start(limits.wallTime());
    try {
      streams.start(limits, job.listener());
      if (runtime == null) {
        instantiate();
      }
      apply(limits);
      reply = call(JobRequest.encode(job, view(job)), limits);
    } catch (RequirementException e) {
      reply = new JobReply(null, PythonError.of("RequirementError", e.getMessage(), ""), false);
    } catch (RuntimeException | Error e) {
      end = JobEnd.of(e);
    } finally {
      ended.run(); // first: a cancel that comes later would be taken for one of the next job
      stopper.finish();
    }
    Duration duration = Duration.ofNanos(System.nanoTime() - start);
    streams.end();
    boolean timeOver = stopper.timeOver() && (reply == null || reply.timeOver());
    PythonError error = error(reply, end, timeOver, limits);
    long restoreStart = System.nanoTime();
    restore(end, job.requires() != null);
    Duration restoring = Duration.ofNanos(System.nanoTime() - restoreStart);
    return (error == null
            ? PythonResult.succeeded(reply.valueJson())
            : PythonResult.failed(timeOver ? Status.TIMED_OUT : Status.FAILED, error))
        .output(
            streams.stdout.text(),
            streams.stderr.text(),
            streams.stdout.truncated() || streams.stderr.truncated())
        .took(duration, restoring)
        .build();
  }

  private byte[] view(PythonJob job) throws RequirementException {
    return job.requires() == null
        ? WHOLE_VIEW
        : prepared.environment().wheels().view(job.requires());
  }

  private void apply(Limits limits) {
    long pages = (limits.memoryBytes() - 1) / LinearMemory.PAGE_SIZE + 1;
    runtime.memory().setMaximumPages((int) Math.min(pages, BootImage.MAXIMUM_PAGES));
    runtime.files().allowBytes(limits.fileBytes());
    runtime.forgetRefusals();
  }

  private JobReply call(byte[] request, Limits limits) {
    int reply = calls.call(image.run(), request);
    if (reply == 0) {
      // Even the report of the exception failed: no memory left, or stopped a second time.
      return new JobReply(null, pendingException(), true);
    }
    int most = limits.resultBytes();
    return JobReply.decode(calls.read(reply, JobReply.longest(most)), most);
  }

  private PythonError pendingException() {
    int type = (int) runtime.call("PyErr_Occurred");
    if (type == 0) {
      return PythonError.of("SystemError", "the interpreter gave neither result nor error", "");
    }
    // PyTypeObject begins with a variable-size object's header of 12 bytes; tp_name follows.
    int name = runtime.memory().readInt(type + 12);
    runtime.call("PyErr_Clear");
    return PythonError.of(runtime.memory().cString(name), "", "");
  }

  private PythonError error(JobReply reply, JobEnd end, boolean timeOver, Limits limits) {
    if (timeOver) {
      boolean told = reply != null && reply.error() != null && !reply.error().traceback().isEmpty();
      String traceback = told ? reply.error().traceback() : streams.control.stopped();
      return PythonError.of(
          Kind.LIMIT,
          "TimeLimitExceeded",
          "the job ran longer than its wall time of " + seconds(limits.wallTime()),
          traceback);
    }
    PythonError error = reply != null ? reply.error() : end.error();
    if (error == null) {
      return reply != null
          ? null
          : PythonError.of(Kind.CANCELLED, "JobCancelled", "the job was stopped", "");
    }
    return error.kind() == Kind.CODE ? error.withKind(kind(error.type())) : error;
  }

  /** What the host knows of an error that is the job's own, by its word. */
  private Kind kind(String type) {
    if (stopper.asked() && !stopper.timeOver()) {
      return Kind.CANCELLED;
    }
    boolean refused =
        runtime != null
            && (type.equals("MemoryError") && runtime.memoryRefused()
                || type.equals("OSError") && runtime.files().refused());
    return refused ? Kind.LIMIT : Kind.CODE;
  }

  private static String seconds(Duration time) {
    String text = Double.toString(time.toMillis() / 1000.0);
    return (text.endsWith(".0") ? text.substring(0, text.length() - 2) : text) + " s";
  }

  /**
   * Restores if it is time for it, or if the job did not end by itself: the signal it was asked to
   * stop by may still wait for its handler, which must not meet the next job. Nor may what hid
   * wheels from this one.
   */
  private void restore(JobEnd end, boolean restricted) {
    jobsSinceRestore++;
    if (end == null && !restricted && !stopper.asked() && jobsSinceRestore < recycleAfter) {
      count(0, 0, 0);
      return;
    }
    jobsSinceRestore = 0;
    if (end != null && !end.trusted()) {
      replace();
      return;
    }
    int pages;
    try {
      pages = runtime.restore(image.state());
      runtime.files().restore(pristineFiles);
      runtime.signals().clear();
      reseed();
    } catch (OutOfMemoryError e) {
      replace();
      return;
    }
    count(1, pages, 0);
  }

  private void replace() {
    runtime = null; // lets its memory and files go before the next one's are allocated
    calls = null;
    pristineFiles = null;
    try {
      instantiate();
    } catch (OutOfMemoryError e) {
      runtime = null; // other jobs hold the heap; the next one here tries again
    }
    count(0, 0, 1);
  }

  /** One more job, and what followed it. */
  private void count(int restores, int pages, int replacements) {
    statistics = statistics.plus(new InterpreterStatistics(1, restores, pages, replacements));
  }

  /**
   * Gives generators of random numbers, which the image fixed, states of their own: spread from 64
   * bits that no other job can know. That many bytes of the system's own entropy would take longer
   * than the rest of the restore, and nothing that needs entropy of that quality uses these
   * generators.
   */
  private void reseed() {
    SplittableRandom random = new SplittableRandom(entropy.nextLong());
    for (RandomState each : image.randomStates()) {
      byte[] state = new byte[each.size()];
      random.nextBytes(state);
      runtime.memory().write(each.address(), state, 0, state.length);
    }
  }

  /** Stops the job that runs at this moment, if any. Any thread may call it. */
  public void cancel() {
    stopper.cancel();
  }

  /** Whether it was made of this environment. */
  boolean isOf(PreparedPython candidate) {
    return prepared == candidate;
  }

  /** What this interpreter has done so far. Any thread may ask. */
  public InterpreterStatistics statistics() {
    return statistics;
  }

  @Override
  public void close() {
    stopper.close();
  }
}
