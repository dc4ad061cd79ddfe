"""What a question is, before anything is looked up for it."""

from __future__ import annotations

from veridic.evidence.depth import depth_of
from veridic.evidence.turns import Turn, meanings
from veridic.ports.embedding import Embeds
from veridic.ports.judging import MessageJudge
from veridic.ports.shapes import Analysis
from veridic.text.dates import years_in
from veridic.text.kinds import answer_kind
from veridic.text.parts import parts_of

NEEDLESS = 0.01
"""P(evidence is needed) of a message that is no question for the documents."""


def analysis_of(
    question: str, embedder: Embeds, judge: MessageJudge, *, need: float, passages: int | None, understood: float
) -> Analysis:
    """The analysis of a question that stands alone.

    `need` is P(evidence is needed); `passages` is what the run chose, None where it chose nothing; `understood` is
    P(the question means what was asked).
    """
    parts = asked_in(question, judge)
    return Analysis(
        need=round(need, 4),
        answer=answer_kind(question),
        years=years_in(question),
        parts=len(parts),
        asked=parts,
        passages=passages or depth_of(embedder),
        understood=round(understood, 4),
    )


def asked_in(question: str, judge: MessageJudge) -> list[str]:
    """The questions that are asked in one; a later one that leans is understood by the first."""
    first, *others = parts_of(question)
    return [first, *(meanings(one, [Turn(first, "")], judge)[0].text for one in others)]


def reworded(analysis: Analysis, question: str, judge: MessageJudge) -> Analysis:
    """The analysis of the same question in other words: what is asked in it is told by these."""
    parts = asked_in(question, judge)
    return {**analysis, "parts": len(parts), "asked": parts, "answer": answer_kind(question)}


def queries_of(question: str, analysis: Analysis) -> list[str]:
    """The first queries for a question: itself, and what is asked in it where that is several."""
    return list(dict.fromkeys([question, *(analysis["asked"] if analysis["parts"] > 1 else [])]))
