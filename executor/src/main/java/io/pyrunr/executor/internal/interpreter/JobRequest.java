package io.pyrunr.executor.internal.interpreter;

import io.pyrunr.executor.Limits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A job as the bytes that {@code _pyrunr.bootstrap.run} reads: four little-endian figures (length
 * of the code, limit of the result, wall time in milliseconds, length of the view), code, view of
 * the wheels, parameters.
 */
final class JobRequest {
  private static final int HEADER = 4 * Integer.BYTES;

  private JobRequest() {}

  static byte[] encode(String code, String paramsJson, Limits limits, byte[] view) {
    byte[] codeBytes = JobText.encode(code);
    byte[] paramsBytes = JobText.encode(paramsJson);
    long millis = Math.min(limits.wallTime().toMillis(), Integer.MAX_VALUE);
    return ByteBuffer.allocate(HEADER + codeBytes.length + view.length + paramsBytes.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(codeBytes.length)
        .putInt(limits.resultBytes())
        .putInt((int) millis)
        .putInt(view.length)
        .put(codeBytes)
        .put(view)
        .put(paramsBytes)
        .array();
  }
}
