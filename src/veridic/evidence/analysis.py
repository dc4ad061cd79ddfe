"""What a question is, before anything is looked up for it."""

from __future__ import annotations

from veridic.evidence.depth import depth_of
from veridic.evidence.need import NEEDLESS, need_of
from veridic.ports.embedding import Embeds
from veridic.ports.shapes import Analysis
from veridic.text.dates import TimeAsked, years_in
from veridic.text.intents import FROM_DOCUMENTS, Intent
from veridic.text.kinds import answer_kind, question_kind
from veridic.text.links import link_of
from veridic.text.parts import parts_of
from veridic.text.questions import is_time_sensitive

MOST_LINKS = 4
"""Descriptions within descriptions that are followed at most."""
STAND_IN = "X"
"""What a description is taken to mean, to see what is asked then."""


def analysis_of(question: str, intent: Intent, embedder: Embeds, *, passages: int | None) -> Analysis:
    """The analysis of a question that stands alone; `passages` is what the run chose, None where it chose nothing."""
    kind = question_kind(question)
    parts = parts_of(question)
    return Analysis(
        need=round(need_of(question, embedder), 4) if intent in FROM_DOCUMENTS else NEEDLESS,
        kind=kind,
        answer=answer_kind(question),
        time=time_asked(question),
        years=years_in(question),
        hops=max(map(hops_of, parts)),
        parts=len(parts),
        asked=parts,
        passages=passages or depth_of(kind, embedder),
    )


def reworded(analysis: Analysis, question: str) -> Analysis:
    """The analysis of the same question in other words: what is asked in it is told by these."""
    parts = parts_of(question)
    return {**analysis, "parts": len(parts), "asked": parts, "answer": answer_kind(question)}


def queries_of(question: str, analysis: Analysis) -> list[str]:
    """The first queries for a question: itself, and what is asked in it where that is several."""
    return list(dict.fromkeys([question, *(analysis["asked"] if analysis["parts"] > 1 else [])]))


def time_asked(question: str) -> TimeAsked:
    """`recent` where the answer may change by the day, `dated` where a year is named, else `any`."""
    if is_time_sensitive(question):
        return "recent"
    return "dated" if years_in(question) else "any"


def hops_of(question: str) -> int:
    """Readings in a row that one question takes: one more for each description in it."""
    readings, asked = 1, question
    for _ in range(MOST_LINKS):
        if not (link := link_of(asked)):
            break
        readings, asked = readings + 1, link.second(STAND_IN)
    return readings
