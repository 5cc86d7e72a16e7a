package io.pyrunr.dashboard.internal.bench;

import java.util.List;

/** Small programs in one file, which each take a few milliseconds to a second. */
enum Programs {
  /** Python by itself. */
  PYTHON(
      "micro.py",
      "fib",
      "loop",
      "nbody",
      "json_trips",
      "regex",
      "queens",
      "dictionary",
      "sort",
      "pidigits",
      "classes"),

  /** numpy with a million numbers or two matrices of 200 by 200, pandas with 100,000 rows. */
  SCIENTIFIC(
      "scientific.py",
      "add",
      "multiply_add",
      "exp",
      "sum",
      "compare_count",
      "matmul",
      "solve",
      "sort_floats",
      "argsort",
      "fancy_index",
      "fft",
      "random",
      "unique",
      "groupby_int",
      "groupby_str",
      "merge",
      "sort_values",
      "read_csv",
      "rolling_mean");

  private final String file;
  private final List<String> names;

  Programs(String file, String... names) {
    this.file = file;
    this.names = List.of(names);
  }

  String source() {
    return BenchScript.read(file);
  }

  List<String> names() {
    return names;
  }
}
