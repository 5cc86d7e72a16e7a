package io.pyrunr.executor.internal.device;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.pyrunr.executor.JobListener;
import io.pyrunr.executor.internal.fs.Device;

/**
 * {@code /dev/pyrunr}: where the Python module {@code pyrunr} writes what the job has to say, one
 * line per call. A job can write there itself; what is not understood is dropped.
 */
public final class ControlDevice implements Device {
  public static final String PATH = "/dev/pyrunr";

  private static final String PROGRESS = "progress ";
  private static final int LONGEST = 64;

  private JobListener listener = JobListener.NONE;

  void start(JobListener value) {
    listener = value;
  }

  @Override
  public int write(byte[] source, int offset, int length) {
    if (length <= LONGEST) {
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
