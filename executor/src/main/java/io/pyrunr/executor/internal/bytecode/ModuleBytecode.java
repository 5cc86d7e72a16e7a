package io.pyrunr.executor.internal.bytecode;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.wheels.archive.BytecodeCompiler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Compiles modules of wheels. Interpreters for it start when there is something to compile. */
public final class ModuleBytecode implements BytecodeCompiler {
  private static final int BYTES_PER_JOB = 1 << 17;

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

  private final PyodideDistribution distribution;
  private BytecodeJobs jobs;

  /** Compiles with a distribution's Python. */
  public ModuleBytecode(PyodideDistribution distribution) {
    this.distribution = distribution;
  }

  @Override
  public Map<String, byte[]> compile(Map<String, byte[]> sources) throws InterruptedException {
    if (jobs == null) {
      jobs = new BytecodeJobs(distribution, COMPILE);
    }
    Map<String, byte[]> bytecode = new TreeMap<>();
    // A job that failed leaves its modules without bytecode: they are compiled when imported.
    jobs.run(parts(sources), bytecode::put, failed -> {});
    return bytecode;
  }

  private static List<Map<String, byte[]>> parts(Map<String, byte[]> sources) {
    List<Map<String, byte[]>> parts = new ArrayList<>();
    Map<String, byte[]> part = new TreeMap<>();
    int size = 0;
    for (Map.Entry<String, byte[]> source : sources.entrySet()) {
      part.put(source.getKey(), source.getValue());
      size += source.getValue().length;
      if (size > BYTES_PER_JOB) {
        parts.add(part);
        part = new TreeMap<>();
        size = 0;
      }
    }
    parts.add(part);
    return parts;
  }

  @Override
  public void close() {
    if (jobs != null) {
      jobs.close();
    }
  }
}
