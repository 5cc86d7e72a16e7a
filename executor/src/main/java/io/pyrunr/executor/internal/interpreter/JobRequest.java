package io.pyrunr.executor.internal.interpreter;

import io.pyrunr.executor.Limits;
import io.pyrunr.executor.PythonJob;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A job as the bytes that {@code _pyrunr.bootstrap.run} reads: five little-endian figures (length
 * of the code, limit of the result, wall time in milliseconds, length of the view, length of the
 * file's name), code, view of the wheels, file's name, parameters.
 */
final class JobRequest {
  private static final int HEADER = 5 * Integer.BYTES;

  private JobRequest() {}

  static byte[] encode(PythonJob job, byte[] view) {
    Limits limits = job.limits();
    byte[] codeBytes = JobText.encode(job.code());
    byte[] nameBytes = job.fileName() == null ? new byte[0] : JobText.encode(job.fileName());
    byte[] paramsBytes = JobText.encode(job.paramsJson());
    long millis = Math.min(limits.wallTime().toMillis(), Integer.MAX_VALUE);
    int texts = codeBytes.length + nameBytes.length + paramsBytes.length;
    return ByteBuffer.allocate(HEADER + view.length + texts)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(codeBytes.length)
        .putInt(limits.resultBytes())
        .putInt((int) millis)
        .putInt(view.length)
        .putInt(nameBytes.length)
        .put(codeBytes)
        .put(view)
        .put(nameBytes)
        .put(paramsBytes)
        .array();
  }
}
