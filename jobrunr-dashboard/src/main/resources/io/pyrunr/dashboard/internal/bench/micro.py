"""Ten small programs, each with a value that can be checked; params say which one and how often."""
import json
import time


def fib():
    def go(n):
        return n if n < 2 else go(n - 1) + go(n - 2)

    return go(25)


def loop():
    total = 0
    for i in range(2_000_000):
        total = (total + i * 3) & 0xFFFFFFF
    return total


def nbody(steps=20_000):
    # A sun and two toy planets, in units of their own.
    px = [0.0, 1.0, 5.2]
    py = [0.0, 0.0, 0.1]
    pz = [0.0, 0.01, 0.0]
    vx = [0.0, 0.0, 0.0]
    vy = [0.0, 1.0, 0.43]
    vz = [0.0, 0.0, 0.01]
    m = [1.0, 3e-6, 9.5e-4]
    dt = 0.001
    for _ in range(steps):
        for i in range(3):
            for j in range(i + 1, 3):
                dx = px[i] - px[j]
                dy = py[i] - py[j]
                dz = pz[i] - pz[j]
                d2 = dx * dx + dy * dy + dz * dz
                k = dt / (d2 * d2**0.5)
                vx[i] -= dx * m[j] * k
                vy[i] -= dy * m[j] * k
                vz[i] -= dz * m[j] * k
                vx[j] += dx * m[i] * k
                vy[j] += dy * m[i] * k
                vz[j] += dz * m[i] * k
        for i in range(3):
            px[i] += dt * vx[i]
            py[i] += dt * vy[i]
            pz[i] += dt * vz[i]
    return round(px[1], 6)


def json_trips():
    data = {
        "a": list(range(200)),
        "b": {"k%d" % i: i * 1.5 for i in range(100)},
        "c": "text" * 20,
    }
    length = 0
    for _ in range(300):
        length += len(json.dumps(json.loads(json.dumps(data))))
    return length


def regex():
    import re

    pattern = re.compile(r"(\w+)@(\w+)\.com")
    text = " ".join("user%d@host%d.com x" % (i, i) for i in range(2000))
    return sum(len(pattern.findall(text)) for _ in range(10))


def queens(n=8):
    def go(row, columns, rising, falling):
        if row == n:
            return 1
        count = 0
        for q in range(n):
            x = 1 << q
            y = 1 << (row + q)
            z = 1 << (row - q + n)
            if columns & x or rising & y or falling & z:
                continue
            count += go(row + 1, columns | x, rising | y, falling | z)
        return count

    return go(0, 0, 0, 0)


def dictionary():
    counts = {}
    for i in range(200_000):
        key = "k" + str(i % 5000)
        counts[key] = counts.get(key, 0) + i
    return len(counts) + counts["k42"]


def sort():
    numbers = [(i * 7919) % 100003 for i in range(100_000)]
    return sum(sorted(numbers)[::1000])


def pidigits(n=400):
    # A spigot with big integers, after Gosper.
    q, r, t, k, m, x = 1, 0, 1, 1, 3, 3
    digits = []
    while len(digits) < n:
        if 4 * q + r - t < m * t:
            digits.append(m)
            q, r, m = 10 * q, 10 * (r - m * t), (10 * (3 * q + r)) // t - 10 * m
        else:
            q, r, t, k, m, x = (
                q * k,
                (2 * q + r) * x,
                t * x,
                k + 1,
                (q * (7 * k + 2) + r * x) // (t * x),
                x + 2,
            )
    return sum(digits)


def classes():
    class Vector:
        __slots__ = ("x", "y")

        def __init__(self, x, y):
            self.x = x
            self.y = y

        def __add__(self, other):
            return Vector(self.x + other.x, self.y + other.y)

    total = Vector(0, 0)
    for i in range(200_000):
        total = total + Vector(i, 1)
    return total.x + total.y


def measure(program, times):
    ms = []
    for _ in range(times):
        start = time.perf_counter()
        value = program()
        ms.append((time.perf_counter() - start) * 1000)
    return json.dumps({"ms": ms, "value": value})


measure(globals()[params["name"]], params["times"])
