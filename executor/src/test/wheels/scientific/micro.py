# How fast numpy and pandas are: milliseconds of the first and the fastest run of each line, as JSON.
import json
import time

start = time.perf_counter()
import numpy as np
numpy_imported = time.perf_counter()
import pandas as pd
pandas_imported = time.perf_counter()

rng = np.random.default_rng(3)
x = rng.normal(size=1_000_000)
a, b = rng.normal(size=(200, 200)), rng.normal(size=(200, 200))
index = rng.integers(0, x.size, x.size)
frame = pd.DataFrame({"k": rng.integers(0, 500, 100_000), "s": rng.choice(list("abcdef"), 100_000), "v": rng.normal(size=100_000)})
right = pd.DataFrame({"k": np.arange(500), "w": rng.normal(size=500)})
csv = frame.head(20_000).to_csv(index=False)

CASES = {
    "add 1M": lambda: x + x,
    "multiply, add 1M": lambda: x * 2.0 + 1.0,
    "exp 1M": lambda: np.exp(x),
    "sum 1M": lambda: x.sum(),
    "compare, count 1M": lambda: (x > 0.5).sum(),
    "matmul 200": lambda: a @ b,
    "solve 200": lambda: np.linalg.solve(a, b),
    "sort 1M": lambda: np.sort(x),
    "argsort 100k": lambda: np.argsort(x[:100_000]),
    "fancy index 1M": lambda: x[index],
    "fft 64k": lambda: np.fft.fft(x[:65536]),
    "random 1M": lambda: rng.normal(size=1_000_000),
    "unique 100k": lambda: np.unique(index[:100_000]),
    "groupby int 100k": lambda: frame.groupby("k").v.sum(),
    "groupby str 100k": lambda: frame.groupby("s").v.mean(),
    "merge 100k": lambda: frame.merge(right, on="k"),
    "sort_values 100k": lambda: frame.sort_values("v"),
    "read_csv 20k": lambda: pd.read_csv(__import__("io").StringIO(csv)),
    "rolling mean 100k": lambda: frame.v.rolling(10).mean(),
}

results = {"import numpy": [(numpy_imported - start) * 1000] * 2, "import pandas": [(pandas_imported - numpy_imported) * 1000] * 2}
for name, case in CASES.items():
    times = []
    until = time.perf_counter() + 8
    while time.perf_counter() < until and len(times) < 200:
        begin = time.perf_counter()
        case()
        times.append((time.perf_counter() - begin) * 1000)
    results[name] = [times[0], min(times)]
json.dumps({name: [round(first, 3), round(best, 3)] for name, (first, best) in results.items()})
