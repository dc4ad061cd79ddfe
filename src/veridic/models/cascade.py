"""The cascade: the small judge ranks everything, the base judge scores the few pairs that decide.

Base reads at most so many tokens a question. Of statements it is first asked what the likeliest premise of each says,
then the second likeliest, and so on; of passages those nearest to where the evaluator decides.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Self

from veridic.models.scorers import Pairs, TrainedCritic, TrainedEvaluator
from veridic.ports.judgements import Entailment, Relevance, Strictness, Thresholds
from veridic.ports.shapes import SourceKind, SourceMeasure, Usage
from veridic.runtime.ledger import Ledger

OF_PASSAGES = 0.4
"""Share of the tokens that passages may take; the rest is the statements'."""


class _Cascade:
    """What evaluator and critic have in common: two judges, and what is left of a question's tokens."""

    def __init__(self, tokens: int) -> None:
        self._tokens = tokens
        self._ledger: Ledger | None = None

    def charged_to(self, ledger: Ledger) -> Self:
        """The same cascade on the account of a step: what the run spent before counts."""
        charged = copy(self)
        charged._ledger = ledger
        return charged

    def _affordable(self, sizes: Sequence[int], limit: float) -> int:
        """How many of the first sizes fit under the limit; they are charged."""
        ledger = self._ledger or Ledger()
        left = limit - ledger.before.get("base_tokens", 0) - ledger.usage.get("base_tokens", 0)
        count = spent = 0
        for size in sizes:
            if spent + size > left:
                break
            spent, count = spent + size, count + 1
        if spent:
            ledger.charge(Usage(base_tokens=spent))
        return count


class CascadeCritic(_Cascade):
    """A `Critic`: whatever it says supports or contradicts a statement was said by base."""

    def __init__(self, small: TrainedCritic, base: TrainedCritic, *, tokens: int) -> None:
        """`tokens` of a question are read by base, at most."""
        super().__init__(tokens)
        self._small, self._base = small, base

    @property
    def fingerprint(self) -> str:
        """Names both judges' weights."""
        return _both(self._small.fingerprint, self._base.fingerprint)

    @property
    def gates(self) -> bool:
        """Whether base ranks well enough."""
        return self._base.gates

    def thresholds(self, strictness: Strictness) -> Thresholds:
        """Base's decision points."""
        return self._base.thresholds(strictness)

    def judge(self, pairs: Pairs, *, deadline: float) -> list[Entailment]:
        """Judge (premise, hypothesis) pairs: small all of them, base the likeliest premises of each hypothesis.

        What base was not asked is told as undecided, as far as small was surer of it than base of what it was asked.
        """
        said = self._small.judge(pairs, deadline=deadline)
        asked = list(_in_turn(pairs, said))
        sizes = self._base.scorer.tokens([pairs[at] for at in asked], "nli")
        asked = asked[: self._affordable(sizes, self._tokens)]
        judged = dict(zip(asked, self._base.judge([pairs[at] for at in asked], deadline=deadline), strict=True))
        most = defaultdict[str, float](float)
        for at, one in judged.items():
            most[pairs[at][1]] = max(most[pairs[at][1]], one.entailment)
        return [judged.get(at) or _held(one, most[pairs[at][1]]) for at, one in enumerate(said)]


def _in_turn(pairs: Pairs, said: Sequence[Entailment]) -> Iterator[int]:
    """Places of pairs: the likeliest premise of every hypothesis, then the second likeliest of every one, and so on."""
    by_hypothesis = defaultdict[str, list[int]](list)
    for at in sorted(range(len(pairs)), key=lambda at: -said[at].entailment):
        by_hypothesis[pairs[at][1]].append(at)
    for turn in range(max(map(len, by_hypothesis.values()), default=0)):
        yield from (own[turn] for own in by_hypothesis.values() if turn < len(own))


def _held(one: Entailment, most: float) -> Entailment:
    """What small said alone: it supports no more than base did, and contradicts nothing."""
    entailment = min(one.entailment, most)
    return replace(one, entailment=entailment, neutral=1.0 - entailment, contradiction=0.0)


class CascadeEvaluator(_Cascade):
    """A `RetrievalEvaluator`: base scores the passages on which the decision hangs."""

    def __init__(self, small: TrainedEvaluator, base: TrainedEvaluator, *, tokens: int) -> None:
        """`tokens` of a question are read by base, at most, of which `OF_PASSAGES` are for passages."""
        super().__init__(tokens)
        self._small, self._base = small, base

    @property
    def fingerprint(self) -> str:
        """Names both judges' weights."""
        return _both(self._small.fingerprint, self._base.fingerprint)

    @property
    def gates(self) -> bool:
        """Whether base ranks well enough."""
        return self._base.gates

    def thresholds(self, strictness: Strictness) -> Thresholds:
        """Base's decision points."""
        return self._base.thresholds(strictness)

    @property
    def by_source(self) -> Mapping[SourceKind, SourceMeasure]:
        """What base's probabilities are worth on each kind of source."""
        return self._base.by_source

    def score(self, pairs: Pairs, *, deadline: float) -> list[Relevance]:
        """Judge (question, passage) pairs: small all of them, base the likeliest of each question."""
        said = self._small.score(pairs, deadline=deadline)
        asked = sorted(range(len(pairs)), key=lambda at: -said[at].probability)
        sizes = self._base.scorer.tokens([pairs[at] for at in asked], "relevance")
        asked = asked[: self._affordable(sizes, OF_PASSAGES * self._tokens)]
        judged = dict(zip(asked, self._base.score([pairs[at] for at in asked], deadline=deadline), strict=True))
        least = min((one.probability for one in judged.values()), default=1.0)
        return [judged.get(at) or replace(one, probability=min(one.probability, least)) for at, one in enumerate(said)]

    def usefulness(self, pairs: Pairs, *, deadline: float) -> list[float]:
        """P(the text holds an answer), by small."""
        return self._small.usefulness(pairs, deadline=deadline)


def _both(small: str, base: str) -> str:
    return hashlib.sha256(f"{small}{base}".encode()).hexdigest()[:16]
