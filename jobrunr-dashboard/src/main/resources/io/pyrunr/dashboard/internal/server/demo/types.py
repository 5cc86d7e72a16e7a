from datetime import date, datetime, timezone
from decimal import Decimal
from uuid import UUID

{
    "date": date(2026, 2, 28),
    "datetime": datetime(2026, 2, 28, 12, 30, tzinfo=timezone.utc),
    "decimal": Decimal("0.10"),
    "uuid": UUID("12345678-1234-5678-1234-567812345678"),
    "set": {1, 2, 3},
    "bytes": b"\x00\xff",
    "nan": float("nan"),
}
