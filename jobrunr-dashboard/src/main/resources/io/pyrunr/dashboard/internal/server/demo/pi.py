# Progress and log while the job runs: watch the bar in the dashboard.
import random
import time

import pyrunr

rounds, shots = 20, 5_000
inside = 0
for n in range(1, rounds + 1):
    inside += sum(random.random() ** 2 + random.random() ** 2 < 1 for _ in range(shots))
    print(f"round {n:2}: pi is about {4 * inside / (n * shots):.5f}")
    pyrunr.progress(n / rounds)
    time.sleep(1)

4 * inside / (rounds * shots)
