"""What a question is before anything is looked up for it, and how deep into a ranking passages are taken for it.

To a fixed depth, and there only what is near: every passage that is taken is judged, so depth costs time.
"""

from __future__ import annotations

from collections.abc import Sequence

from veridic.evidence.evidence import headed
from veridic.ports.embedding import Embeds, cosines
from veridic.ports.judging import MessageJudge
from veridic.ports.shapes import Analysis, Passage
from veridic.runtime.turns import Turn, meanings
from veridic.text.kinds import answer_kind
from veridic.text.parts import parts_of
from veridic.text.questions import years_in

NEEDLESS = 0.01
"""P(evidence is needed) of a message that is no question for the documents."""
FIXED = 8
"""Passages where no rule was fitted for the embedder, and of what opens a document."""
FITTED_FOR = "8fd160d230463e28"
"""Fingerprint of the embedder whose cosines `GAP` was fitted on."""
FIRST = 3
"""The first of the ranking that are always taken: what has the question's words need not be near."""
GAP = 0.3
"""By so much the cosine of question and passage may lie under that of the nearest."""
MOST = 9
"""Passages at most; the gap tells how many are worth judging."""


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


def depth_of(embedder: Embeds) -> int:
    """Passages that are retrieved for a query, at most."""
    return MOST if embedder.fingerprint == FITTED_FOR else FIXED


def near(query: str, ranked: Sequence[Passage], embedder: Embeds) -> list[Passage]:
    """Of a ranking the first passages and all that are hardly further from the query than the nearest, in order.

    Everything under an embedder that no gap was fitted for.
    """
    if len(ranked) <= FIRST or embedder.fingerprint != FITTED_FOR:
        return list(ranked)
    found = cosines(embedder, query, [headed(passage, passage["text"]) for passage in ranked])
    least = max(found) - GAP
    return [one for place, one in enumerate(ranked) if place < FIRST or found[place] >= least]
