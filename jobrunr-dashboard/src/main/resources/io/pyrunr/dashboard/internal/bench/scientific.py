"""Small programs of numpy and pandas, each with a value that can be checked; params say which one and how often."""
import io
import json
import time

import numpy as np
import pandas as pd


class Data:
    """What the programs work on, the same each time; made when asked for, which is not measured."""

    @property
    def x(self):
        return np.random.default_rng(3).normal(size=1_000_000)

    @property
    def index(self):
        return np.random.default_rng(4).integers(0, 1_000_000, 1_000_000)

    @property
    def matrices(self):
        rng = np.random.default_rng(5)
        return rng.normal(size=(200, 200)), rng.normal(size=(200, 200))

    @property
    def frame(self):
        rng = np.random.default_rng(6)
        return pd.DataFrame(
            {"k": rng.integers(0, 500, 100_000), "s": rng.choice(list("abcdef"), 100_000), "v": rng.normal(size=100_000)}
        )

    @property
    def names(self):
        return pd.DataFrame({"k": np.arange(500), "w": np.random.default_rng(7).normal(size=500)})

    @property
    def csv(self):
        return self.frame.head(20_000).to_csv(index=False)


# A program is what data it takes, and what it does with it.
PROGRAMS = {
    "add": ("x", lambda x: x + x),
    "multiply_add": ("x", lambda x: x * 2.0 + 1.0),
    "exp": ("x", lambda x: np.exp(x)),
    "sum": ("x", lambda x: x.sum()),
    "compare_count": ("x", lambda x: (x > 0.5).sum()),
    "matmul": ("matrices", lambda ab: ab[0] @ ab[1]),
    "solve": ("matrices", lambda ab: np.linalg.solve(*ab)),
    "sort_floats": ("x", lambda x: np.sort(x)),
    "argsort": ("x", lambda x: np.argsort(x[:100_000])),
    "fancy_index": (("x", "index"), lambda both: both[0][both[1]]),
    "fft": ("x", lambda x: np.fft.fft(x[:65536]).real),
    "random": (None, lambda _: np.random.default_rng(8).normal(size=1_000_000)),
    "unique": ("index", lambda index: np.unique(index[:100_000])),
    "groupby_int": ("frame", lambda frame: frame.groupby("k").v.sum()),
    "groupby_str": ("frame", lambda frame: frame.groupby("s").v.mean()),
    "merge": (("frame", "names"), lambda both: both[0].merge(both[1], on="k").w),
    "sort_values": ("frame", lambda frame: frame.sort_values("v").v),
    "read_csv": ("csv", lambda csv: pd.read_csv(io.StringIO(csv)).v),
    "rolling_mean": ("frame", lambda frame: frame.v.rolling(10).mean().fillna(0)),
}


def data(names):
    if isinstance(names, tuple):
        return [getattr(Data(), name) for name in names]
    return names and getattr(Data(), names)


def measure(name, times):
    names, program = PROGRAMS[name]
    given = data(names)
    ms = []
    for _ in range(times):
        start = time.perf_counter()
        value = program(given)
        ms.append((time.perf_counter() - start) * 1000)
    return json.dumps({"ms": ms, "value": float(np.asarray(value).sum())})


measure(params["name"], params["times"])
