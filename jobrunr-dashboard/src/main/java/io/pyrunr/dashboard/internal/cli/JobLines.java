package io.pyrunr.dashboard.internal.cli;

import io.pyrunr.dashboard.internal.job.BadJobException;
import io.pyrunr.dashboard.internal.job.JobDescription;
import io.pyrunr.executor.Limits;
import io.pyrunr.executor.PythonError;
import io.pyrunr.executor.PythonExecutor;
import io.pyrunr.executor.PythonJob;
import io.pyrunr.executor.PythonResult;
import io.pyrunr.executor.PythonResult.Status;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Streams jobs through an executor, a line in, a line out. Every line of input that is not blank
 * gets one line of output, broken ones too. With one worker results come in the order of the jobs,
 * with more of them as they end.
 *
 * <p>Only a few jobs per worker are read ahead, so input and output of any length pass through.
 */
final class JobLines {
  private static final int READ_AHEAD_PER_WORKER = 4;

  /** What Windows editors put before UTF-8 text, as bytes. */
  private static final String BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf";

  private final PythonExecutor executor;
  private final Limits defaults;
  private final PrintWriter out;
  private final int capacity;
  private final Semaphore slots;
  private final AtomicBoolean allSucceeded = new AtomicBoolean(true);

  JobLines(PythonExecutor executor, Limits defaults, int workers, PrintWriter out) {
    this.executor = executor;
    this.defaults = defaults;
    this.out = out;
    this.capacity = workers * READ_AHEAD_PER_WORKER;
    this.slots = new Semaphore(capacity);
  }

  /**
   * Runs all lines and returns whether every job succeeded.
   *
   * @param lines their bytes as characters, so that one that is not UTF-8 spoils no other
   */
  boolean run(BufferedReader lines) throws IOException, InterruptedException {
    long number = 0;
    for (String line; (line = lines.readLine()) != null; ) {
      number++;
      if (number == 1 && line.startsWith(BYTE_ORDER_MARK)) {
        line = line.substring(BYTE_ORDER_MARK.length());
      }
      if (line.isBlank()) {
        continue;
      }
      slots.acquire();
      submit(line, number);
      checkWritten(out);
    }
    slots.acquire(capacity);
    checkWritten(out);
    return allSucceeded.get();
  }

  /** Whoever read the results may be gone, or the disk full. */
  static void checkWritten(PrintWriter out) throws IOException {
    if (out.checkError()) {
      throw new IOException("results cannot be written any more; some are lost");
    }
  }

  private void submit(String line, long number) throws InterruptedException {
    String fallbackId = "\"line-" + number + "\"";
    JobDescription job;
    try {
      job = JobDescription.parse(text(line), JobDescription.LINE_FIELDS);
    } catch (BadJobException e) {
      // With one worker, results keep the order of the lines: wait for the jobs before this one.
      slots.acquire(capacity - 1);
      finished(
          e.idJson().orElse(fallbackId),
          refused("BadJobLine", "line " + number + ": " + e.getMessage()));
      slots.release(capacity - 1);
      return;
    }
    String id = job.idJson().orElse(fallbackId);
    Limits limits = job.timeout().map(defaults::withWallTime).orElse(defaults);
    if (job.memoryBytes().isPresent()) {
      limits = limits.withMemoryBytes(job.memoryBytes().getAsLong());
    }
    PythonJob python =
        PythonJob.of(job.code())
            .withParamsJson(job.paramsJson())
            .withLimits(limits)
            .withRequires(job.requires().orElse(null));
    var unused =
        executor
            .submit(python)
            .whenComplete(
                (result, failure) ->
                    finished(
                        id,
                        failure == null ? result : refused("ExecutorError", failure.getMessage())));
  }

  private static String text(String bytes) throws BadJobException {
    try {
      ByteBuffer line = ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1));
      return StandardCharsets.UTF_8.newDecoder().decode(line).toString();
    } catch (CharacterCodingException e) {
      throw new BadJobException("not UTF-8 text");
    }
  }

  private void finished(String idJson, PythonResult result) {
    try {
      if (!result.succeeded()) {
        allSucceeded.set(false);
      }
      print(out, idJson, result);
    } finally {
      slots.release();
    }
  }

  static void print(PrintWriter out, String idJson, PythonResult result) {
    String line = "{\"id\":" + idJson + "," + result.toJson().substring(1);
    synchronized (out) {
      out.print(line);
      out.print('\n');
      out.flush();
    }
  }

  private static PythonResult refused(String type, String message) {
    return PythonResult.failed(Status.FAILED, PythonError.of(type, message, "")).build();
  }
}
