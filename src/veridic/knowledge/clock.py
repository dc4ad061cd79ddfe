"""How the time is written down."""

from datetime import UTC, datetime


def now() -> str:
    """The time, ISO 8601, UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
