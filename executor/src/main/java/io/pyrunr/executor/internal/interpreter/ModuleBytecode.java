package io.pyrunr.executor.internal.interpreter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.pyrunr.executor.Limits;
import io.pyrunr.executor.PythonExecutor;
import io.pyrunr.executor.PythonJob;
import io.pyrunr.executor.PythonResult;
import io.pyrunr.executor.internal.wheels.BytecodeCompiler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Compiles modules of wheels with plain interpreters, which start when there is something to
 * compile. The sources are strangers' and the job that compiles them is a job like any other.
 */
public final class ModuleBytecode implements BytecodeCompiler, AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int WORKERS = 2;
  private static final int BYTES_PER_JOB = 1 << 17;
  private static final Limits LIMITS =
      Limits.DEFAULT.withWallTime(Duration.ofMinutes(20)).withResultBytes(256 << 20);

  /** Like {@link LibraryBytecode}'s: hash-based and unchecked (PEP 552), with nothing to stat. */
  private static final String COMPILE =
      """
      import base64, importlib.util, warnings
      from importlib._bootstrap_external import _code_to_hash_pyc

      warnings.simplefilter("ignore")
      bytecode = {}
      for name, text in params.items():
          source = base64.b64decode(text)
          try:
              code = compile(source, name, "exec", dont_inherit=True)
          except (SyntaxError, ValueError, RecursionError, MemoryError):
              continue  # templates, or for another Python; who imports it will be told
          bytecode[name] = bytes(_code_to_hash_pyc(code, importlib.util.source_hash(source), False))
      bytecode
      """;

  private PythonExecutor python;

  @Override
  public Map<String, byte[]> compile(Map<String, byte[]> sources) throws InterruptedException {
    if (python == null) {
      python = PythonExecutor.builder().workers(WORKERS).limits(LIMITS).build();
    }
    List<CompletableFuture<PythonResult>> jobs = new ArrayList<>();
    Map<String, byte[]> part = new TreeMap<>();
    int size = 0;
    for (Map.Entry<String, byte[]> source : sources.entrySet()) {
      part.put(source.getKey(), source.getValue());
      size += source.getValue().length;
      if (size > BYTES_PER_JOB) {
        jobs.add(python.submit(PythonJob.of(COMPILE).withParams(part)));
        part.clear();
        size = 0;
      }
    }
    jobs.add(python.submit(PythonJob.of(COMPILE).withParams(part)));
    Map<String, byte[]> bytecode = new TreeMap<>();
    try {
      for (CompletableFuture<PythonResult> job : jobs) {
        collect(result(job), bytecode);
      }
    } finally {
      jobs.forEach(job -> job.cancel(true)); // those that are left after an interrupt
    }
    return bytecode;
  }

  private static PythonResult result(CompletableFuture<PythonResult> job)
      throws InterruptedException {
    try {
      return job.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("Python cannot run: " + e.getCause().getMessage(), e);
    }
  }

  /** A job that failed leaves its modules without bytecode: they are compiled when imported. */
  private static void collect(PythonResult result, Map<String, byte[]> bytecode) {
    if (!result.succeeded()) {
      return;
    }
    try {
      for (Map.Entry<String, JsonNode> module : JSON.readTree(result.valueJson()).properties()) {
        bytecode.put(module.getKey(), module.getValue().binaryValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    if (python != null) {
      python.close();
    }
  }
}
