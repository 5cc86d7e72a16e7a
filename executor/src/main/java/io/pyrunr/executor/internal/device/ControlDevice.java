package io.pyrunr.executor.internal.device;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.pyrunr.executor.JobListener;
import io.pyrunr.executor.internal.fs.Device;
import java.util.Arrays;

/**
 * {@code /dev/pyrunr}: where the Python module {@code pyrunr} writes what the job has to say, and
 * our own modules where it was when its time was over; one message per call. A job can write there
 * itself; what is not understood is dropped.
 */
public final class ControlDevice implements Device {
  public static final String PATH = "/dev/pyrunr";

  private static final String PROGRESS = "progress ";
  private static final int LONGEST_LINE = 64;

  private static final byte[] STOPPED = "stopped ".getBytes(US_ASCII);

  /** 64 K characters of a traceback, and what says that it was cut. */
  private static final int LONGEST_TRACEBACK = 4 * (65 << 10);

  private JobListener listener = JobListener.NONE;
  private String stopped = "";

  void start(JobListener value) {
    listener = value;
    stopped = "";
  }

  void end() {
    listener = JobListener.NONE;
  }

  /** Where the job says it was when its time was over, as a traceback; empty if it has not. */
  public String stopped() {
    return stopped;
  }

  @Override
  public int write(byte[] source, int offset, int length) {
    int prefix = STOPPED.length;
    if (length > prefix
        && length <= LONGEST_TRACEBACK
        && Arrays.equals(source, offset, offset + prefix, STOPPED, 0, prefix)) {
      stopped = new String(source, offset + prefix, length - prefix, UTF_8);
    } else if (length <= LONGEST_LINE) {
      String line = new String(source, offset, length, US_ASCII);
      if (line.startsWith(PROGRESS)) {
        progress(line.substring(PROGRESS.length()).strip());
      }
    }
    return length;
  }

  private void progress(String text) {
    double fraction;
    try {
      fraction = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return;
    }
    if (fraction >= 0 && fraction <= 1) {
      listener.progress(fraction);
    }
  }
}
