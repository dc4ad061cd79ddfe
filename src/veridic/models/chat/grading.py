"""A chat model as evaluator and as critic: eight passages, texts or sentences a call."""

import hashlib
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Self

from veridic.models.chat.grader import Grader
from veridic.models.chat.sheets import Asked, Support
from veridic.models.scorers import Pairs
from veridic.ports.judgements import Entailment, GradeWeights, Relevance, Strictness, Thresholds
from veridic.ports.shapes import GradeName
from veridic.prompts import render
from veridic.runtime.ledger import OnAccount

FULL, PARTIAL = 0.9, 0.5
"""What the grades count. A grade says no probability: these are points of a scale, and full is no certainty."""

POINTS: Mapping[GradeName | None, float] = {"full": FULL, "partial": PARTIAL}
"""Whatever else was said, or could not be read, counts nothing."""

THRESHOLDS = Thresholds(upper=FULL, lower=PARTIAL, strip=PARTIAL, support=FULL, contradiction=FULL, abstention=FULL)
"""The scale's own points, at every strictness: between two of them no score lies that a fitted threshold could part.

A passage that answers is correct, one that answers in part ambiguous; only full support and a full answer hold.
"""

WEIGHTLESS = GradeWeights(full=0.0, other=0.0)
"""Of grades whose worth no trial showed."""


class _ChatJudge(OnAccount):
    """What evaluator and critic have in common."""

    _prompts: Mapping[str, Sequence[str]] = {}
    """The names of the prompts with their variables."""

    def __init__(self, grader: Grader) -> None:
        """Two judges over one grader share what it knows."""
        self._grader = grader

    @property
    def fingerprint(self) -> str:
        """`llm:`, the model and a digest of the words it is asked in."""
        known = {"examples": self._grader.examples}
        words = [
            tuple(render(name, **{one: known.get(one, "") for one in told})) for name, told in self._prompts.items()
        ]
        return f"llm:{self._grader.chat.name}:{hashlib.sha256(repr(words).encode()).hexdigest()[:12]}"

    @property
    def gates(self) -> bool:
        """Whether the model follows instructions and passed its trial as a judge."""
        return self._grader.is_trusted

    def thresholds(self, strictness: Strictness) -> Thresholds:  # noqa: ARG002 - the protocol's
        """The scale's points, whatever the strictness."""
        return THRESHOLDS

    def _graded(self, batch: Sequence[Asked], deadline: float) -> list[Support | None]:
        return self._grader.grade(batch, self._ledger, deadline=deadline)


class ChatEvaluator(_ChatJudge):
    """Does this passage help to answer this question? Does this text answer it?"""

    _prompts: Mapping[str, Sequence[str]] = {
        "grade_passage": ("passages", "examples"),
        "grade_answer": ("answers",),
    }

    def grades(self, pairs: Pairs, *, deadline: float) -> list[GradeName | None]:
        """The grade of each (question, passage) pair; None where it could not be read."""
        found = self._graded([Asked("relevance", question, (text,)) for question, text in pairs], deadline)
        return [one.grade if one else None for one in found]

    def score(self, pairs: Pairs, *, deadline: float) -> list[Relevance]:
        """Judge (question, passage) pairs; an unreadable grade counts as none."""
        found = self.grades(pairs, deadline=deadline)
        return [
            Relevance(POINTS.get(grade, 0.0), (0, len(text))) for (_, text), grade in zip(pairs, found, strict=True)
        ]

    def usefulness(self, pairs: Pairs, *, deadline: float) -> list[float]:
        """How far each (question, text) pair's text answers; an unreadable grade counts as none."""
        found = self._graded([Asked("usefulness", question, (text,)) for question, text in pairs], deadline)
        return [POINTS.get(one.grade, 0.0) if one else 0.0 for one in found]


class ChatCritic(_ChatJudge):
    """What does this evidence say of this sentence?"""

    _prompts: Mapping[str, Sequence[str]] = {"grade_sentence": ("question", "passages", "sentences")}
    _question = ""

    def __init__(self, grader: Grader, weights: GradeWeights = WEIGHTLESS) -> None:
        """`weights` are those that its trial found; without a trial its grades weigh nothing beside another judge."""
        super().__init__(grader)
        self.weights = weights

    def hearing(self, question: str) -> Self:
        """The same critic, which is told what question the sentences answer."""
        heard = copy(self)
        heard._question = question
        return heard

    def grades(self, pairs: Pairs, *, deadline: float) -> list[GradeName | None]:
        """The grade of each (premise, hypothesis) pair; None where that of the hypothesis could not be read.

        The premise that the grade names supports, supports in part or contradicts; the others say nothing.
        """
        premises: dict[str, list[str]] = {}
        for premise, hypothesis in dict.fromkeys(pairs):
            premises.setdefault(hypothesis, []).append(premise)
        asked_of = [Asked("support", about, tuple(texts), self._question) for about, texts in premises.items()]
        graded = self._graded(asked_of, deadline)
        found = dict(zip(premises, graded, strict=True))
        asked = ((found[about], premises[about].index(premise) + 1) for premise, about in pairs)
        return [None if one is None else one.grade if one.passage == number else "none" for one, number in asked]

    def judge(self, pairs: Pairs, *, deadline: float) -> list[Entailment]:
        """Judge (premise, hypothesis) pairs; each hypothesis is asked about once, with all its premises."""
        judged = []
        for (premise, _), grade in zip(pairs, self.grades(pairs, deadline=deadline), strict=True):
            entailed, against = POINTS.get(grade, 0.0), FULL if grade == "contradicted" else 0.0
            judged.append(Entailment(entailed, 1.0 - entailed - against, against, (0, len(premise)), "chat"))
        return judged
