# The Lucas-Lehmer test, and an integer of 157 digits that arrives exactly.
p = 521
m = 2**p - 1
s = 4
for _ in range(p - 2):
    s = (s * s - 2) % m

{"prime": s == 0, "value": m}
