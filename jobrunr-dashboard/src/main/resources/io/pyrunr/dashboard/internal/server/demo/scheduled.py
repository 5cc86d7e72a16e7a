from datetime import datetime, timezone

print("it is", datetime.now(timezone.utc).isoformat(timespec="seconds"))
"on time"
