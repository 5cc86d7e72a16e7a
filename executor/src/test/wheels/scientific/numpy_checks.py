# What numpy gives, as JSON: run here and by the same Pyodide under Node, the outputs must be equal.
import json

import numpy as np

results = {"version": np.__version__}


def check(function):
    results[function.__name__] = function()
    return function


def plain(array):
    return np.asarray(array).tolist()


@check
def linear_algebra():
    a = np.array([[4.0, 1.0, 2.0], [1.0, 3.0, 0.5], [2.0, 0.5, 5.0]])
    u, s, vt = np.linalg.svd(a)
    values, vectors = np.linalg.eigh(a)
    general = np.linalg.eig(np.array([[0.0, -1.0], [1.0, 0.0]]))
    q, r = np.linalg.qr(a)
    return [
        plain(np.linalg.inv(a)), plain(np.linalg.solve(a, [1, 2, 3])), float(np.linalg.det(a)), plain(s),
        plain(values), plain(np.abs(vectors)), str(general.eigenvalues), plain(np.linalg.cholesky(a)),
        plain(np.linalg.lstsq(a, np.array([1.0, 0, 1]), rcond=None)[0]), plain(np.linalg.matrix_power(a, 5)),
        bool(np.allclose(q @ r, a)), bool(np.allclose(u * s @ vt, a)), int(np.linalg.matrix_rank(a)),
        plain(np.linalg.pinv(a[:2])), float(np.linalg.norm(a)), plain(np.einsum("ij,jk->ik", a, a)),
    ]


@check
def singular_matrix():
    try:
        np.linalg.inv(np.zeros((2, 2)))
    except np.linalg.LinAlgError as error:
        return str(error)


@check
def fourier():
    x = np.sin(np.arange(64) * 0.3) + 0.5 * np.cos(np.arange(64) * 1.1)
    f = np.fft.fft(x)
    return [
        plain(f.real), plain(f.imag), plain(np.fft.rfft(x).real), plain(np.fft.ifft(f).real),
        plain(np.abs(np.fft.fft2(np.outer(x[:8], x[:8])))), plain(np.fft.fftfreq(8)),
        plain(np.fft.fft(x[:7]).real), plain(np.fft.irfft(np.fft.rfft(x[:30]), 30)),
    ]


@check
def random_numbers():
    out = []
    for name in ("PCG64", "MT19937", "Philox", "SFC64", "PCG64DXSM"):
        rng = np.random.Generator(getattr(np.random, name)(42))
        out.append([
            plain(rng.integers(0, 1000, 5)), plain(rng.random(3)), plain(rng.normal(size=3)), plain(rng.choice(10, 4, False)),
            plain(rng.permutation(6)), plain(rng.poisson(4, 4)), plain(rng.gamma(2.0, size=2)), plain(rng.beta(1, 2, 2)),
            plain(rng.multinomial(10, [0.2, 0.3, 0.5])), plain(rng.standard_t(3, 2)), plain(rng.binomial(20, 0.3, 3)),
        ])
    legacy = np.random.RandomState(7)
    out.append([plain(legacy.rand(3)), plain(legacy.randn(3)), plain(legacy.randint(0, 9, 5)), plain(legacy.dirichlet([1, 2, 3]))])
    return out


@check
def sorting():
    rng = np.random.default_rng(1)
    ints, floats = rng.integers(-500, 500, 300), rng.normal(size=300)
    floats[[3, 77]] = np.nan
    out = []
    for kind in ("quicksort", "mergesort", "heapsort", "stable"):
        out.append([plain(np.sort(ints, kind=kind)), plain(np.argsort(ints[:50], kind="stable")), str(np.sort(floats, kind=kind)[-4:])])
    for dtype in ("i1", "u2", "f4", "U3", "S2", "c8"):
        out.append(str(np.sort(ints[:30].astype(dtype))))
    return out + [
        plain(np.partition(ints, 10)[10]), plain(np.searchsorted(np.sort(ints), [0, 100])), plain(np.unique(ints[:40], return_counts=True)[1]),
        plain(np.lexsort((ints[:9], ints[9:18]))), plain(np.argpartition(ints[:20], 5)[5]), plain(np.digitize([0.5, 3], [0, 1, 2])),
    ]


@check
def strings():
    a = np.array(["alpha", "Beta", "gamma ray", "", "Zoë"])
    v = np.array(["one", "a much longer string than the others " * 3, "ü"], dtype=np.dtypes.StringDType())
    return [
        plain(np.strings.upper(a)), plain(np.char.find(a, "a")), plain(np.strings.add(a, "!")), plain(np.strings.str_len(a)),
        plain(np.char.split(a, " ")), plain(np.sort(a)), a.dtype.str, plain(np.strings.replace(a, "a", "oo")),
        plain(v + "?"), plain(np.strings.str_len(v)), plain(v == "ü"), plain(np.char.zfill(np.array(["1", "22"]), 4)),
    ]


@check
def dates():
    d = np.arange("2024-02-26", "2024-03-04", dtype="datetime64[D]")
    return [
        plain(d.astype(str)), plain(np.is_busday(d)), str(d[0] + np.timedelta64(36, "h")), str(np.busday_offset(d[0], 5)),
        plain((d - d[0]).astype(int)), str(np.datetime64("NaT")), plain(d.astype("datetime64[M]").astype(str)), str(d.max() - d.min()),
        str(np.datetime64("2024-01-01T12:00:00.123456789")), plain(np.datetime_as_string(d[:2], unit="h")),
    ]


@check
def universal_functions():
    x = np.linspace(-3, 3, 41)
    with np.errstate(all="ignore"):
        return [
            {name: plain(np.nan_to_num(getattr(np, name)(x), posinf=9e9, neginf=-9e9))
             for name in "sin cos tan exp expm1 exp2 sinh cosh tanh arctan arcsinh sqrt cbrt log1p floor ceil rint trunc sign square".split()},
            plain(np.add.reduce(x)), plain(np.multiply.accumulate(x[:6])), plain(np.subtract.outer(x[:3], x[:3])),
            plain(np.maximum.reduceat(x, [0, 10, 20])), plain(np.logaddexp(x, 1)), plain(np.arctan2(x, 2)), plain(np.hypot(x, 1)),
            plain(np.floor_divide(np.arange(-5, 6), 3)), plain(np.remainder(np.arange(-5, 6), 3)), plain(np.left_shift([1, 2], 4)),
            plain(np.gcd([12, 18], 8)), str(np.frexp(x[:3])), plain(np.isclose(x, x + 1e-9)), plain(np.clip(x, -1, 1)),
        ]


@check
def indexing_and_shapes():
    a = np.arange(60).reshape(3, 4, 5)
    b = a.copy()
    b[b % 7 == 0] = -1
    np.add.at(b, (0, 0, [0, 0, 1]), 100)
    return [
        plain(a[1, ::2, [0, 3]]), plain(a[..., -1]), plain(b[0]), plain(a.transpose(2, 0, 1)[0]), plain(np.where(a > 55)), plain(np.take(a, [1, 59])),
        plain(np.broadcast_to([1, 2], (2, 2))), plain(np.concatenate([a[0], a[1]])[::3]), plain(np.roll(a[0], 2, 1)), plain(np.pad([1, 2], 2, "reflect")),
        plain(a.cumsum(1)[0]), plain(np.diff([1, 4, 9, 16], 2)), plain(np.tile([1, 2], (2, 2))), plain(np.kron([1, 2], [1, 1])), plain(np.tril(np.ones((3, 3)))),
        repr(np.array([[1.5, np.nan], [np.inf, -0.0]])), repr(np.arange(2000)), str(np.array([1 + 2j, 3j])),
    ]


@check
def structured_and_files():
    import io

    rows = np.array([(1, 2.5, "a"), (2, 3.5, "bc")], dtype=[("n", "i4"), ("x", "f8"), ("s", "U4")])
    buffer = io.BytesIO()
    np.savez_compressed(buffer, a=np.arange(5), rows=rows)
    buffer.seek(0)
    loaded = np.load(buffer)
    text = io.StringIO("1,2\n3,4\n")
    np.save("/tmp/x.npy", np.eye(2))
    mapped = np.load("/tmp/x.npy", mmap_mode="r")
    return [
        plain(rows["x"]), plain(loaded["a"]), loaded["rows"].dtype.str, plain(np.loadtxt(text, delimiter=",")), plain(mapped), rows.tobytes().hex(),
        plain(np.frombuffer(b"\x01\x02\x03\x04", "<u2")), plain(np.genfromtxt(["1;x", "3;4"], delimiter=";", filling_values=0)),
    ]


@check
def statistics():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(50, 4))
    return [
        plain(x.mean(0)), plain(x.std(1)), plain(np.median(x, 0)), plain(np.percentile(x, [5, 95])), plain(np.cov(x.T)), plain(np.corrcoef(x.T)),
        plain(np.histogram(x, 8)[0]), plain(np.polyfit(np.arange(5), [1, 3, 2, 5, 4], 2)), plain(np.interp([0.5, 1.5], [0, 1, 2], [0, 10, 5])),
        plain(np.convolve([1, 2, 3], [0, 1, 0.5])), plain(np.average([1, 2, 3], weights=[3, 1, 1])), plain(np.bincount([0, 1, 1, 3])), plain(np.nanmean([1, np.nan])),
    ]


@check
def errors():
    out = []
    for statement in ("np.zeros(3) + np.zeros(4)", "np.array([1]).reshape(2, 2)", "np.arange(3)[5]", "np.array('x') + 1", "np.zeros(1 << 40)", "np.array([1], dtype='i4').view('i8')"):
        try:
            eval(statement)
        except Exception as error:
            out.append(f"{type(error).__name__}: {error}")
    return out


json.dumps(results)
