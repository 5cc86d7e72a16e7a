package io.pyrunr.executor.internal.device;

import io.pyrunr.executor.JobListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps what a listener throws out of the interpreter, in whose host calls it runs. */
record QuietListener(JobListener listener) implements JobListener {
  private static final Logger LOG = LoggerFactory.getLogger(QuietListener.class);

  @Override
  public void progress(double fraction) {
    try {
      listener.progress(fraction);
    } catch (RuntimeException | AssertionError | LinkageError e) {
      LOG.warn("a job listener failed on progress; the job goes on", e);
    }
  }

  @Override
  public void stdout(String text) {
    try {
      listener.stdout(text);
    } catch (RuntimeException | AssertionError | LinkageError e) {
      LOG.warn("a job listener failed on output; the job goes on", e);
    }
  }

  @Override
  public void stderr(String text) {
    try {
      listener.stderr(text);
    } catch (RuntimeException | AssertionError | LinkageError e) {
      LOG.warn("a job listener failed on output; the job goes on", e);
    }
  }
}
