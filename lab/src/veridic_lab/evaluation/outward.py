"""What a run's row says of the world outside: what was asked there, what came back, what the claims scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from veridic_lab.evaluation.journal import Row


@dataclass(frozen=True)
class Facts:
    """The claims of an answer, checked (Hybrid Self-RAG); means over claims, one without evidence counting 0."""

    claims: int
    fact_score: float | None
    """Against evidence from outside; None where nothing outside was asked."""
    missing: int


@dataclass(frozen=True)
class Outward:
    """One question's dealings with the outside."""

    asked: tuple[str, ...]
    """Sources that a query was put to, each once."""
    queries: int
    """That left the machine."""
    found: frozenset[str]
    """Addresses of what the sources gave, and of everything the answer could be written from."""
    discarded: int
    """Pages that were no evidence."""
    out: tuple[str, ...]
    """Sources that gave nothing because they failed."""
    rests: bool
    """Whether the answer cites an outside passage."""
    before: Facts | None
    """None where no claim was checked."""
    after: Facts | None
    """Of the answer that was given; as before where nothing was written again, None for a silence."""


def outward(row: Row, *, answered: bool) -> Outward:
    """A row's dealings. Rows of runs that did not keep something have nothing of it."""
    result, sources = row["result"], row["result"].get("sources", {})
    sent = sources.get("sent", [])
    report = result.get("fact_report")
    before = _facts(report)
    again = _facts(report.get("after")) if report else None
    cited = [citation for sentence in result["sentences"] for citation in sentence["citations"]]
    return Outward(
        asked=tuple(dict.fromkeys(one["source"] for one in sent)),
        queries=sum(not one.get("cached", False) for one in sent),
        found=found_in(row),
        discarded=len(sources.get("discarded", [])),
        out=tuple(dict.fromkeys(one["source"] for one in sources.get("unavailable", []))),
        rests=answered and any(citation["kind"] == "outside" for citation in cited),
        before=before,
        after=(again or before) if answered else None,
    )


def found_in(row: Row) -> frozenset[str]:
    """The addresses of every finding, and of the passages behind the strips."""
    found = {address for step in row["measured"].get("findings", []) for address in step}
    return frozenset(found | {strip["passage"]["url"] for strip in row["result"]["strips"]})


def _facts(report: Mapping[str, Any] | None) -> Facts | None:
    claims: Sequence[Mapping[str, Any]] = report["claims"] if report else ()
    if not report or not claims:
        return None
    return Facts(
        claims=len(claims),
        fact_score=report["fact_score"],
        missing=report["missing"],
    )
