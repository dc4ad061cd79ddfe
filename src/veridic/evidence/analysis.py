"""What a question is, before anything is looked up for it."""

from __future__ import annotations

from veridic.evidence.depth import depth_of
from veridic.ports.embedding import Embeds
from veridic.ports.shapes import Analysis
from veridic.text.dates import years_in
from veridic.text.kinds import answer_kind
from veridic.text.parts import parts_of

NEEDLESS = 0.01
"""P(evidence is needed) of a message that is no question for the documents."""


def analysis_of(question: str, embedder: Embeds, *, need: float, passages: int | None) -> Analysis:
    """The analysis of a question that stands alone.

    `need` is P(evidence is needed); `passages` is what the run chose, None where it chose nothing.
    """
    parts = parts_of(question)
    return Analysis(
        need=round(need, 4),
        answer=answer_kind(question),
        years=years_in(question),
        parts=len(parts),
        asked=parts,
        passages=passages or depth_of(embedder),
    )


def reworded(analysis: Analysis, question: str) -> Analysis:
    """The analysis of the same question in other words: what is asked in it is told by these."""
    parts = parts_of(question)
    return {**analysis, "parts": len(parts), "asked": parts, "answer": answer_kind(question)}


def queries_of(question: str, analysis: Analysis) -> list[str]:
    """The first queries for a question: itself, and what is asked in it where that is several."""
    return list(dict.fromkeys([question, *(analysis["asked"] if analysis["parts"] > 1 else [])]))
