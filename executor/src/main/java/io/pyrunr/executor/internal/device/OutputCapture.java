package io.pyrunr.executor.internal.device;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * What one job writes to stdout or stderr, up to a limit. Counts bytes, but never cuts a UTF-8
 * sequence in two: neither at the limit nor between two pieces that are passed on while the job
 * runs.
 *
 * <p>Reused from job to job; belongs to the interpreter's thread.
 */
public final class OutputCapture {
  private static final int LONGEST_SEQUENCE = 4;

  private byte[] bytes = new byte[256];
  private int size;
  private int limit;
  private boolean truncated;
  private int passedOn;
  private Consumer<String> listener;

  /** Forgets the last job; {@code listener} may be null. */
  void start(int limit, Consumer<String> listener) {
    this.limit = limit;
    this.listener = listener;
    size = 0;
    passedOn = 0;
    truncated = false;
    if (bytes.length > 1 << 16) {
      bytes = new byte[256];
    }
  }

  /** Takes a piece of output; what is beyond the limit is dropped. */
  void write(byte[] source, int offset, int length) {
    int taken = Math.min(length, limit - size);
    if (taken > 0) {
      if (size + taken > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(size + taken, Math.min(limit, 2 * bytes.length)));
      }
      System.arraycopy(source, offset, bytes, size, taken);
      size += taken;
    }
    if (taken < length && !truncated) {
      truncated = true;
      size = wholeCharacters();
      limit = size; // whatever is shorter must not slip in behind the gap
    }
    if (listener != null) {
      passOn(wholeCharacters());
    }
  }

  /** Ends the job's output: an unfinished sequence is passed on as it is. */
  void end() {
    if (listener != null) {
      passOn(size);
      listener = null;
    }
  }

  private void passOn(int end) {
    if (end > passedOn) {
      String text = new String(bytes, passedOn, end - passedOn, UTF_8);
      passedOn = end;
      listener.accept(text);
    }
  }

  public boolean truncated() {
    return truncated;
  }

  /** All that was captured; bytes that are not UTF-8 show as U+FFFD. */
  public String text() {
    return new String(bytes, 0, size, UTF_8);
  }

  /** Where the last complete character ends. */
  private int wholeCharacters() {
    for (int back = 1; back <= LONGEST_SEQUENCE && back <= size; back++) {
      int lead = bytes[size - back] & 0xff;
      if (lead < 0x80) {
        return size;
      }
      if (lead >= 0xc0) {
        int length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
        return length > back ? size - back : size;
      }
    }
    return size;
  }
}
