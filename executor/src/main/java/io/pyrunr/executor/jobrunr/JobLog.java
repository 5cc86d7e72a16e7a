package io.pyrunr.executor.jobrunr;

import io.pyrunr.executor.JobListener;
import org.jobrunr.jobs.context.JobContext;

/**
 * Turns what a job prints into its log in the dashboard, line by line, and {@code pyrunr.progress}
 * into the progress bar.
 *
 * <p>JobRunr keeps a job's log inside the job's own row and rewrites that row at each heartbeat, so
 * the log is capped in characters and in lines; all of the output is in the stored result.
 */
final class JobLog implements JobListener {
  static final int MAX_CHARS = 64 << 10;
  static final int MAX_LINES = 1_000;
  private static final int PERCENT = 100;

  private final JobContext context;
  private final StringBuilder out = new StringBuilder();
  private final StringBuilder err = new StringBuilder();
  private int chars;
  private int lines;
  private boolean full;

  JobLog(JobContext context) {
    this.context = context;
  }

  @Override
  public synchronized void progress(double fraction) {
    double clamped = Math.max(0, Math.min(1, fraction));
    context.progressBar(PERCENT).setProgress(Math.round(clamped * PERCENT));
  }

  @Override
  public void stdout(String text) {
    output(false, text);
  }

  @Override
  public void stderr(String text) {
    output(true, text);
  }

  private synchronized void output(boolean error, String text) {
    StringBuilder pending = error ? err : out;
    pending.append(text);
    int start = 0;
    for (int end; (end = pending.indexOf("\n", start)) >= 0; start = end + 1) {
      line(error, pending.substring(start, end));
    }
    pending.delete(0, start);
    if (pending.length() >= MAX_CHARS) {
      flush(error, pending);
    }
  }

  /** Writes lines that did not end in a line break. */
  synchronized void flush() {
    flush(false, out);
    flush(true, err);
  }

  private void flush(boolean error, StringBuilder pending) {
    if (!pending.isEmpty()) {
      line(error, pending.toString());
      pending.setLength(0);
    }
  }

  private void line(boolean error, String text) {
    if (full) {
      return;
    }
    if (lines == MAX_LINES || chars + text.length() > MAX_CHARS) {
      full = true;
      context.logger().warn("… the log ends here; the job's result holds the rest");
      return;
    }
    lines++;
    chars += text.length();
    if (error) {
      context.logger().warn(text);
    } else {
      context.logger().info(text);
    }
  }
}
