"""What a question is, before anything is looked up for it."""

from __future__ import annotations

from veridic.evidence.depth import depth_of
from veridic.evidence.need import NEEDLESS, need_of
from veridic.ports.embedding import Embeds
from veridic.ports.shapes import Analysis
from veridic.text.dates import years_in
from veridic.text.intents import FROM_DOCUMENTS, Intent
from veridic.text.kinds import answer_kind
from veridic.text.parts import parts_of


def analysis_of(question: str, intent: Intent, embedder: Embeds, *, passages: int | None) -> Analysis:
    """The analysis of a question that stands alone; `passages` is what the run chose, None where it chose nothing."""
    parts = parts_of(question)
    return Analysis(
        need=round(need_of(question, embedder), 4) if intent in FROM_DOCUMENTS else NEEDLESS,
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
