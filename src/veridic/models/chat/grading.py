"""A chat model as evaluator and as critic: one call a passage, one an answer, one a sentence with all its premises."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Any, Self

from veridic.models.chat.grader import Asked, Grader
from veridic.models.chat.grades import Support, read_grade, read_support
from veridic.models.chat.grading_trial import GradingTrial
from veridic.ports.chat import ChatModel, Prompt
from veridic.ports.judgements import Entailment, Relevance, Strictness, Thresholds
from veridic.ports.shapes import GradeName
from veridic.prompts import render
from veridic.runtime.ledger import Ledger
from veridic.text.fences import defuse

Pairs = Sequence[tuple[str, str]]

FULL, PARTIAL = 0.9, 0.5
"""What the grades count. A grade says no probability: these are points of a scale, and full is no certainty."""

POINTS: Mapping[GradeName, float] = {"full": FULL, "partial": PARTIAL, "none": 0.0, "contradicted": 0.0}

THRESHOLDS = Thresholds(upper=FULL, lower=PARTIAL, strip=PARTIAL, support=FULL, contradiction=FULL, abstention=FULL)
"""The scale's own points, at every strictness: between two of them no score lies that a fitted threshold could part.

A passage that answers is correct, one that answers in part ambiguous; only full support and a full answer hold.
"""


def _schema(title: str, **properties: Mapping[str, Any]) -> Mapping[str, Any]:
    return {
        "title": title,
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


GRADE_SCHEMA = _schema("grade", grade={"type": "string", "enum": ["full", "partial", "none"]})
SUPPORT_SCHEMA = _schema(
    "support",
    grade={"type": "string", "enum": ["full", "partial", "contradicted", "none"]},
    passage={"type": "integer"},
)


class _ChatJudge:
    """What evaluator and critic have in common."""

    _prompts: Mapping[str, Sequence[str]] = {}
    """The names of the prompts with their variables."""

    def __init__(self, grader: Grader) -> None:
        """Two judges over one grader share what it knows."""
        self._grader = grader
        self._ledger: Ledger | None = None

    def charged_to(self, ledger: Ledger) -> Self:
        """The same judge, keeping this account and its budgets."""
        charged = copy(self)
        charged._ledger = ledger
        return charged

    @property
    def fingerprint(self) -> str:
        """`llm:`, the model and a digest of the words it is asked in."""
        words = [render(name, **dict.fromkeys(told, "")) for name, told in self._prompts.items()]
        return f"llm:{self._grader.chat.name}:{hashlib.sha256(repr(words).encode()).hexdigest()[:12]}"

    @property
    def gates(self) -> bool:
        """Whether the model follows instructions and did not fail its trial as a grader."""
        return self._grader.is_trusted

    def thresholds(self, strictness: Strictness) -> Thresholds:  # noqa: ARG002 - the protocol's
        """The scale's points, whatever the strictness."""
        return THRESHOLDS

    def _graded(self, batch: Sequence[Asked], deadline: float) -> list[Support | None]:
        """The grades; the first batch of all is the model's trial, on the same account."""
        ledger = Ledger() if self._ledger is None else self._ledger

        def grade(asked: Sequence[Asked]) -> list[Support | None]:
            return self._grader.grade(asked, ledger, deadline=deadline)

        if batch and self._grader.trial and self._grader.chat.follows_instructions:
            self._grader.trial.hold(
                lambda pairs: grade([_relevance(*pair) for pair in pairs]),
                lambda pairs: grade([_support(sentence, [premise]) for premise, sentence in pairs]),
            )
        return grade(batch)


def tried_grader(chat: ChatModel, folder: Path | None, *, of: str = "") -> Grader:
    """A grader that is tried before its first grades; `folder` keeps what was found of the model at the place `of`."""
    plain = Grader(chat)
    digest = f"{ChatEvaluator(plain).fingerprint} {ChatCritic(plain).fingerprint} {of}"
    return Grader(chat, GradingTrial(chat.name, digest, folder))


class ChatEvaluator(_ChatJudge):
    """Does this passage help to answer this question? Does this text answer it?"""

    _prompts: Mapping[str, Sequence[str]] = {
        "grade_passage": ("question", "passage"),
        "grade_answer": ("question", "answer"),
    }

    def score(self, pairs: Pairs, *, deadline: float) -> list[Relevance]:
        """Judge (question, passage) pairs, one call each; an unreadable grade counts as none."""
        found = self._graded([_relevance(*pair) for pair in pairs], deadline)
        return [Relevance(_points(support), (0, len(text))) for (_, text), support in zip(pairs, found, strict=True)]

    def usefulness(self, pairs: Pairs, *, deadline: float) -> list[float]:
        """How far each (question, text) pair's text answers, one call each; an unreadable grade counts as none."""
        batch = [
            Asked("usefulness", question, (text,), _prompt("grade_answer", question, answer=text), GRADE_SCHEMA, _read)
            for question, text in pairs
        ]
        return [_points(support) for support in self._graded(batch, deadline)]


class ChatCritic(_ChatJudge):
    """What does this evidence say of this sentence?"""

    _prompts: Mapping[str, Sequence[str]] = {"grade_sentence": ("passages", "sentence")}

    def judge(self, pairs: Pairs, *, deadline: float) -> list[Entailment]:
        """Judge (premise, hypothesis) pairs, one call a hypothesis with all its premises.

        The premise that the grade names supports, supports in part or contradicts; the others say nothing.
        """
        premises: dict[str, list[str]] = {}
        for premise, hypothesis in pairs:
            premises.setdefault(hypothesis, []).append(premise)
        shown = {hypothesis: list(dict.fromkeys(texts)) for hypothesis, texts in premises.items()}
        graded = self._graded([_support(hypothesis, texts) for hypothesis, texts in shown.items()], deadline)
        found = dict(zip(shown, graded, strict=True))
        return [
            _entailment(found[hypothesis], shown[hypothesis].index(premise) + 1, len(premise))
            for premise, hypothesis in pairs
        ]


def _prompt(name: str, question: str, **text: str) -> Prompt:
    return Prompt(*render(name, question=defuse(question), **{key: defuse(value) for key, value in text.items()}))


def _relevance(question: str, text: str) -> Asked:
    prompt = _prompt("grade_passage", question, passage=text)
    return Asked("relevance", question, (text,), prompt, GRADE_SCHEMA, _read)


def _support(hypothesis: str, premises: Sequence[str]) -> Asked:
    passages = "\n".join(
        f'<passage number="{number}">\n{defuse(premise)}\n</passage>' for number, premise in enumerate(premises, 1)
    )
    prompt = Prompt(*render("grade_sentence", passages=passages, sentence=defuse(hypothesis)))
    return Asked(
        "support", hypothesis, premises, prompt, SUPPORT_SCHEMA, lambda reply: read_support(reply, len(premises))
    )


def _read(reply: str) -> Support | None:
    """A grade of one text, on the scale without contradiction."""
    grade = read_grade(reply)
    return Support(grade, None) if grade and grade != "contradicted" else None


def _points(support: Support | None) -> float:
    return POINTS[support.grade] if support else 0.0


def _entailment(support: Support | None, number: int, length: int) -> Entailment:
    """What a grade says of one of the passages, by its number."""
    named = support is not None and support.passage == number
    entailed = _points(support) if named else 0.0
    against = FULL if support and named and support.grade == "contradicted" else 0.0
    return Entailment(entailed, 1.0 - entailed - against, against, (0, length))
