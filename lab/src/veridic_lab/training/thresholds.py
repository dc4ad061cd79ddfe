"""Decision points fitted on the decisions they serve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from veridic.evidence.evidence import departs
from veridic.models.calibrating import CONTRADICTION
from veridic.models.fitting import SLACK, Costs, balanced_cut, within
from veridic_lab.training.cases import SHORT_ANSWERS, QuestionCase, SentenceCase

T = TypeVar("T")
Floats = NDArray[np.float64]
Score = Callable[[Sequence[tuple[str, str]]], Floats]


@dataclass(frozen=True)
class QuestionDecisions:
    """Scores of decisions about passages and what was true: of questions, strips, answers."""

    answerable: Floats
    best: Floats
    strip_holds: Floats
    strip_score: Floats
    answer_right: Floats
    answer_useful: Floats


@dataclass(frozen=True)
class SentenceDecisions:
    """Scores of decisions about sentences and what was true."""

    supported: Floats
    support: Floats
    contradicted: Floats
    contradiction: Floats


def question_decisions(questions: Sequence[QuestionCase], relevance: Score, usefulness: Score) -> QuestionDecisions:
    """Score every question; each decision is made on a maximum over what was retrieved."""
    asked = [q.question.text for q in questions]
    chunks = _grouped(relevance, _pairs(asked, [[c.text for c in q.chunks] for q in questions]))
    best = [_best(q.chunks, scores) for q, scores in zip(questions, chunks, strict=True)]
    strips = [[strip for chunk in group for strip in chunk.strips] for group in best]
    scored = _grouped(relevance, _pairs(asked, strips))
    given = [group[int(scores.argmax())] for group, scores in zip(strips, scored, strict=True)]
    useful = usefulness(list(zip(asked, given, strict=True)))
    holds, strip_scores = _strips(questions, strips, scored)
    return QuestionDecisions(
        answerable=np.array([q.answerable for q in questions], dtype=float),
        best=np.array([s.max() for s in chunks]),
        strip_holds=holds,
        strip_score=strip_scores,
        answer_right=np.array(
            [q.answerable and q.question.given_by(strip) for q, strip in zip(questions, given, strict=True)],
            dtype=float,
        ),
        answer_useful=useful,
    )


def sentence_decisions(sentences: Sequence[SentenceCase], nli: Score) -> SentenceDecisions:
    """Score every sentence; each decision is made on a maximum over premises, and is 0 where code is all there is."""
    rows = _grouped(nli, [[(p, s.sentence) for p in s.premises] for s in sentences])
    return SentenceDecisions(
        supported=np.array([s.label == 0 for s in sentences], dtype=float),
        support=np.array([_support(case, r) for case, r in zip(sentences, rows, strict=True)]),
        contradicted=np.array([s.label == CONTRADICTION for s in sentences], dtype=float),
        contradiction=np.array([r[:, 2].max(initial=0.0) for r in rows]),
    )


def question_points(found: QuestionDecisions, costs: Costs) -> dict[str, float]:
    """Upper, lower, strip and abstention points."""
    upper = balanced_cut(found.answerable, found.best, costs.upper, slack=SLACK, flat="lowest")
    return within(
        upper=upper,
        lower=min(upper, balanced_cut(found.answerable, found.best, costs.lower)),
        strip=balanced_cut(found.strip_holds, found.strip_score, costs.strip),
        abstention=balanced_cut(found.answer_right, found.answer_useful, costs.abstention, slack=SLACK),
    )


def sentence_points(found: SentenceDecisions, costs: Costs) -> dict[str, float]:
    """Support and contradiction points; what is supported is not asked whether it is contradicted."""
    support = balanced_cut(found.supported, found.support, costs.support, slack=SLACK)
    rest = found.support < support
    contradiction = balanced_cut(found.contradicted[rest], found.contradiction[rest], costs.contradiction)
    return within(support=support, contradiction=contradiction)


def _strips(
    questions: Sequence[QuestionCase], strips: Sequence[Sequence[str]], scores: Sequence[Floats]
) -> tuple[Floats, Floats]:
    """Strips of questions with short answers: those that hold one against those that do not."""
    holds: list[float] = []
    kept: list[float] = []
    for case, group, values in zip(questions, strips, scores, strict=True):
        if case.source != SHORT_ANSWERS or not case.answerable:
            continue
        holds += [float(case.question.answered_by(strip)) for strip in group]
        kept += [float(value) for value in values]
    return np.array(holds), np.array(kept)


def _pairs(asked: Sequence[str], groups: Sequence[Sequence[str]]) -> list[list[tuple[str, str]]]:
    return [[(question, text) for text in group] for question, group in zip(asked, groups, strict=True)]


def _support(case: SentenceCase, rows: Floats) -> float:
    """The largest entailment of a premise that the sentence does not depart from, as the graph counts it."""
    able = [not departs(case.sentence, premise) for premise in case.premises]
    return float(np.where(able, rows[:, 0], 0.0).max(initial=0.0))


def _best(items: Sequence[T], scores: Floats, count: int = 3) -> list[T]:
    return [items[int(i)] for i in np.argsort(-scores)[:count]]


def _grouped(
    score: Callable[[Sequence[tuple[str, str]]], Floats], groups: Sequence[list[tuple[str, str]]]
) -> list[Floats]:
    """Score all groups in one batch and cut the result into groups again."""
    rows = score([pair for group in groups for pair in group])
    ends = np.cumsum([len(group) for group in groups])
    return [rows[end - len(group) : end] for group, end in zip(groups, ends, strict=True)]
