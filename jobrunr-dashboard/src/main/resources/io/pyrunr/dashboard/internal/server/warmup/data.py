import csv
import datetime
import io
import json
from collections import Counter, defaultdict

rows = [{"id": i, "day": f"2026-01-{i % 28 + 1:02}", "amount": i * 1.25, "tags": ["a", "b"]} for i in range(params["n"])]
rows = json.loads(json.dumps(rows))
totals = defaultdict(float)
for row in rows:
    day = datetime.date.fromisoformat(row["day"]) + datetime.timedelta(days=7)
    totals[day.strftime("%G-W%V")] += row["amount"]
table = io.StringIO()
writer = csv.DictWriter(table, ["week", "amount"])
writer.writeheader()
writer.writerows({"week": week, "amount": amount} for week, amount in totals.items())
with open("/tmp/table.csv", "w") as file:
    file.write(table.getvalue())
with open("/tmp/table.csv") as file:
    weeks = Counter(row["week"] for row in csv.DictReader(file))
{"totals": totals, "weeks": len(weeks), "last": day}
