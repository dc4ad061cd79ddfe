"""What memory is worth, from words, places and counts alone: coverage, citation F1, pollution.

The names and bounds are Bidirectional RAG's (V.C, equations 1 to 3). What is false is so by gold or by construction; no
judge of ours has a say here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from veridic.evidence.intervals import upper_bound
from veridic.text.answers import harmonic
from veridic_lab.evaluation.answers import decision, holds_alias, is_right
from veridic_lab.evaluation.questions import GoldQuestion

NEAR = 0.4
"""Distance under which what was retrieved counts as relevant (V.C)."""
ENOUGH = 150
"""Records that have to be looked at before a share of them is a claim."""

Distance = Literal["squared L2", "cosine"]
"""What the distance may be: of unit vectors 2 - 2 cos, which is ChromaDB's default, or 1 - cos. The paper says neither.
"""


def is_covered(cosine: float | None, kind: Distance) -> bool:
    """Whether the nearest thing retrieved is near enough (equation 1); False where nothing was."""
    return cosine is not None and (1 - cosine) * (2 if kind == "squared L2" else 1) < NEAR


def citation_f1(cited: Sequence[str], gold: Sequence[str]) -> float:
    """Harmonic mean of precision and recall of cited documents against gold ones, each once; 0.0 of no citation."""
    return harmonic(len(set(cited) & set(gold)), len(set(cited)), len(set(gold)))


def human_sources(cited: Sequence[str], rests_on: Mapping[str, Sequence[str]]) -> list[str]:
    """What is cited with each generated record replaced by what it rests on, through other records too."""
    found: dict[str, None] = {}
    waiting, seen = list(reversed(cited)), set[str]()
    while waiting:
        one = waiting.pop()
        if one in rests_on and one not in seen:
            seen.add(one)
            waiting += reversed(rests_on[one])
        elif one not in rests_on:
            found[one] = None
    return list(found)


def is_false(short_answer: str, text: str, question: GoldQuestion) -> bool | None:
    """Whether a record of a question answers otherwise than gold.

    None where gold cannot tell: of a question that wants a long answer, and of a text that decides nothing where yes or
    no was asked. What is pasted and holds no accepted answer counts as false, though a document says so.
    """
    undecided = question.kind == "yes/no" and not decision(short_answer or text)
    return None if undecided or question.kind == "long" else not is_right(text, question, short=short_answer)


def is_part(short_answer: str, question: GoldQuestion) -> bool:
    """Whether a short answer is a run of words of an accepted one: it counts as false, and hardly misleads."""
    return bool(short_answer) and any(holds_alias(accepted, [short_answer]) for accepted in question.answers)


@dataclass(frozen=True)
class Pollution:
    """How many of the records that were looked at are false."""

    false: int
    of: int
    parts: int = 0
    """Of the false ones, how many say a part of an accepted answer (`is_part`)."""

    @property
    def share(self) -> float | None:
        """Of all looked at; None of none."""
        return self.false / self.of if self.of else None

    @property
    def most(self) -> float | None:
        """Upper end of the one-sided 95 % interval; None of fewer than `ENOUGH` records."""
        return upper_bound(self.false, self.of) if self.of >= ENOUGH else None

    def __str__(self) -> str:
        """As it stands in a table."""
        if self.share is None:
            return "no records"
        bound = "not shown" if self.most is None else f"at most {self.most:.3f}"
        parts = f", {self.parts} a part of what is right" if self.parts else ""
        return f"{self.false} of {self.of}{parts} ({self.share:.3f}; {bound})"
