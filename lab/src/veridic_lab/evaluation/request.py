"""What a run is asked to be."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Request:
    """What was asked for on the command line."""

    suite: str
    """A suite's name, or a JSONL file of one's own questions."""
    folder: Path | None
    """One's own documents."""
    systems: tuple[str, ...]
    model: str
    limit: int
    seed: int
    out: Path
    documents: int | None
    """At most this many of a suite's documents."""
    k: int
    """Plain RAG's number of passages."""
