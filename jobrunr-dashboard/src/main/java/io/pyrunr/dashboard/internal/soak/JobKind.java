package io.pyrunr.dashboard.internal.soak;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pyrunr.executor.Limits;
import io.pyrunr.executor.PythonJob;
import io.pyrunr.executor.PythonResult;
import io.pyrunr.executor.PythonResult.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * What jobs of a soak do. Each knows its own number, {@code params}, and shows it in its result, so
 * that a result which belongs to another job is seen. Each looks first for what others have left.
 */
enum JobKind {
  VALUE(
      300,
      """
      values = [params % 1000 * i for i in range(50)]
      {"job": params, "sum": sum(values), "text": "é😀" * (params % 50)}
      """),
  JSON(
      150,
      """
      import json, re, datetime
      day = datetime.date(2000, 1, 1) + datetime.timedelta(days=params % 10_000)
      text = json.dumps({"job": params, "day": day.isoformat()})
      {"job": int(re.search(r'"job": (\\d+)', text).group(1))}
      """),
  VANDAL(
      150,
      """
      import builtins, json, os, sys
      builtins.soak = sys.modules["soak_module"] = params
      builtins.len = None
      os.environ["SOAK"] = "x"
      os.chdir("/tmp")
      json.dumps = None
      sys.path.clear()
      {"job": params}
      """),
  FILES(
      120,
      """
      import os
      for i in range(20):
          with open("/tmp/%d-%d" % (params, i), "w") as f:
              f.write(str(params) * 500)
      open("/home/pyodide/kept-open", "wb")
      total = sum(os.path.getsize("/tmp/" + name) for name in os.listdir("/tmp"))
      {"job": params} if total == 20 * 500 * len(str(params)) else total
      """),
  C_CALLS(
      30,
      """
      import ctypes
      names = ["Size", "Append", "Insert", "Reverse", "Sort", "GetItem", "SetItem", "AsTuple"]
      functions = [getattr(ctypes.pythonapi, "PyList_" + name) for name in names]
      {"job": params} if functions[0](ctypes.py_object(names)) == 8 else functions
      """),
  FAILURE(120, "raise ValueError(params)", Status.FAILED, Set.of("ValueError")),
  OUTPUT(
      50,
      """
      for i in range(300):
          print(params, "x" * 1000)
      {"job": params}
      """) {
    @Override
    boolean isRight(PythonResult result, int number) {
      return super.isRight(result, number)
          && result.truncated()
          && result.stdout().startsWith(number + " xxx")
          && result.stdout().length() <= Limits.DEFAULT.outputBytes();
    }
  },
  DISK_FULL(
      20,
      """
      with open("/tmp/big", "wb") as f:
          while True:
              f.write(bytes(1 << 16))
      """,
      Status.FAILED,
      Set.of("OSError")),
  MEMORY(
      30,
      """
      hog = []
      while True:
          hog.append(bytes(1 << 20))
      """,
      Status.FAILED,
      Set.of("MemoryError")),
  EXIT(20, "import sys; sys.exit(params)", Status.FAILED, Set.of("SystemExit")),
  ABORT(5, "import os; os.abort()", Status.FAILED, Set.of()),
  RECURSION(
      5,
      "def f(n):\n  return f(n + 1)\nf(0)",
      Status.FAILED,
      Set.of("RecursionError", "MemoryError")),
  LOOP(20, "while True: pass", Status.TIMED_OUT, Set.of()),
  SLEEP(5, "import time; time.sleep(60)", Status.TIMED_OUT, Set.of()),
  STUBBORN(
      3,
      """
      while True:
          try:
              while True: pass
          except BaseException:
              pass
      """,
      Status.TIMED_OUT,
      Set.of());

  /** Long enough for any job but those that never end, on a machine that is busy. */
  private static final Limits PATIENT =
      Limits.DEFAULT
          .withWallTime(Duration.ofMinutes(2))
          .withMemoryBytes(64 << 20)
          .withFileBytes(4 << 20);

  private static final Limits IMPATIENT = PATIENT.withWallTime(Duration.ofMillis(30));
  private static final int ALL = List.of(values()).stream().mapToInt(kind -> kind.weight).sum();
  private static final String PRISTINE = pristine();

  private final int weight;
  private final String code;
  private final Status status;
  private final Set<String> errors;

  JobKind(int weight, String code) {
    this(weight, code, Status.SUCCEEDED, Set.of());
  }

  JobKind(int weight, String code, Status status, Set<String> errors) {
    this.weight = weight;
    this.code = code;
    this.status = status;
    this.errors = errors;
  }

  /** Frequent kinds more often, those that take long seldom. */
  static JobKind random(Random random) {
    int left = random.nextInt(ALL);
    for (JobKind kind : values()) {
      left -= kind.weight;
      if (left < 0) {
        return kind;
      }
    }
    throw new IllegalStateException("the weights do not add up");
  }

  PythonJob job(int number) {
    return PythonJob.of(PRISTINE + code)
        .withParams(number)
        .withLimits(status == Status.TIMED_OUT ? IMPATIENT : PATIENT);
  }

  /** Whether a result is what this job, and no other, had to give. */
  boolean isRight(PythonResult result, int number) {
    if (result.status() != status) {
      return false;
    }
    if (status == Status.SUCCEEDED) {
      return result.value() instanceof Map<?, ?> value
          && value.get("job").equals(number)
          && (value.get("sum") == null || value.get("sum").equals(number % 1000 * 1225))
          && (value.get("text") == null || value.get("text").equals("é😀".repeat(number % 50)));
    }
    boolean expected = errors.isEmpty() || errors.contains(result.error().type());
    boolean own = this != FAILURE || result.error().message().equals(Integer.toString(number));
    return expected && own;
  }

  private static String pristine() {
    try (InputStream in = JobKind.class.getResourceAsStream("pristine.py")) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("the jar cannot be read: pristine.py", e);
    }
  }
}
