package io.pyrunr.executor.internal.device;

import io.pyrunr.executor.JobListener;
import io.pyrunr.executor.Limits;
import io.pyrunr.executor.internal.fs.Device;

/** The devices through which a job speaks: stdout, stderr and the devices of ours. */
public final class JobStreams {
  public final OutputCapture stdout = new OutputCapture();
  public final OutputCapture stderr = new OutputCapture();
  public final ControlDevice control = new ControlDevice();
  public final WheelDevice wheels = new WheelDevice();

  public void start(Limits limits, JobListener listener) {
    if (listener == JobListener.NONE) {
      stdout.start(limits.outputBytes(), null);
      stderr.start(limits.outputBytes(), null);
      control.start(listener);
    } else {
      JobListener quiet = new QuietListener(listener);
      stdout.start(limits.outputBytes(), quiet::stdout);
      stderr.start(limits.outputBytes(), quiet::stderr);
      control.start(quiet);
    }
  }

  public void end() {
    stdout.end();
    stderr.end();
    control.end();
    wheels.clear();
  }

  public static Device device(OutputCapture capture) {
    return new Device() {
      @Override
      public int write(byte[] source, int offset, int length) {
        capture.write(source, offset, length);
        return length;
      }
    };
  }
}
