import csv
import io
import statistics
import sys

rows = list(csv.DictReader(io.StringIO(params["csv"])))
growth = {}
for row in rows:
    before, after = int(row["q1"]), int(row["q2"])
    growth[row["region"]] = round(100 * (after - before) / before, 1)
    print(f"{row['region']:<6} {before:>5} -> {after:>5}  {growth[row['region']]:+.1f} %")
    if after < before:
        print(f"{row['region']} is shrinking", file=sys.stderr)

{"growth": growth, "mean": round(statistics.mean(growth.values()), 2)}
