package io.pyrunr.executor.internal.device;

import io.pyrunr.executor.internal.fs.Device;
import io.pyrunr.executor.internal.wheels.WheelSet;
import java.io.ByteArrayOutputStream;

/**
 * {@code /dev/pyrunr-wheels}: where a job's micropip and failed imports ask about wheels. A line of
 * JSON is a question; what is read after it is the answer. Questions are short, and forgotten with
 * the job.
 */
public final class WheelDevice implements Device {
  public static final String PATH = "/dev/pyrunr-wheels";

  private static final int LONGEST = 1 << 20;
  private static final byte[] NOTHING = {};

  private final ByteArrayOutputStream question = new ByteArrayOutputStream();
  private WheelSet wheels;
  private byte[] answer = NOTHING;
  private int given;

  public void connect(WheelSet value) {
    wheels = value;
  }

  /** Forgets what a job has asked. */
  void clear() {
    question.reset();
    answer = NOTHING;
    given = 0;
  }

  @Override
  public int write(byte[] source, int offset, int length) {
    if (question.size() + length > LONGEST) {
      question.reset(); // nothing that we ask; the rest of it is no JSON either
    }
    question.write(source, offset, length);
    if (length > 0 && source[offset + length - 1] == '\n') {
      answer = wheels.answer(question.toByteArray());
      given = 0;
      question.reset();
    }
    return length;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    int count = Math.min(length, answer.length - given);
    System.arraycopy(answer, given, target, offset, count);
    given += count;
    return count;
  }
}
