"""The cascade: small ranks everything, base scores the few pairs that decide, and a chat model what is open after that.

Base is asked what the first premise of every statement says, then, as long as a question's tokens last, what the
likeliest others say, in turn; one that it did not read supports a statement no more than the first. Of
passages it scores those that are likeliest by small, within their share of the tokens. A chat model is asked only where
its trial showed that it is better, once a question for passages that are open, and once for statements. Where base is
not installed small stands in its place: what it judged once costs no tokens again.
"""

import hashlib
from collections.abc import Hashable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Generic, Literal, Self, TypeVar, cast

from veridic.errors import JudgeFailed
from veridic.models.chat.grading import FULL, ChatCritic, ChatEvaluator
from veridic.models.fitting import sigmoid
from veridic.models.scorers import Pairs, TrainedCritic, TrainedEvaluator
from veridic.ports.judgements import (
    COMPANY,
    STRICTNESSES,
    Entailment,
    GradeWeights,
    Relevance,
    Strictness,
    Thresholds,
    log_odds,
)
from veridic.ports.shapes import Failure, GradeName, Usage, merge_usage
from veridic.runtime.asked import CHAT
from veridic.runtime.ledger import OnAccount

OF_PASSAGES = 0.5
"""Share of the tokens that passages may take; what was scored is read without more."""
OPEN = 0.2
"""P from which what base does not pass is open; what it was never asked is open too."""
UNDER = 0.99
"""Of a decision point: what lies under it."""
LEAST = 1e-6
"""What is left where nothing is: a divisor."""

T = TypeVar("T", bound=TrainedEvaluator | TrainedCritic)
C = TypeVar("C", bound=ChatEvaluator | ChatCritic)


class OnBaseTokens(OnAccount):
    """A judge that reads no more tokens of a question than it may: what the run spent before counts."""

    def __init__(self, tokens: int) -> None:
        """`tokens` of a question are read, at most."""
        self._tokens = tokens

    def _affordable(self, sizes: Sequence[int], share: float = 1.0, least: int = 0) -> int:
        """How many of the first sizes fit under a share of the tokens, or `least` however large; they are charged."""
        ledger = self._ledger
        left = share * self._tokens - ledger.before.get("base_tokens", 0) - ledger.usage.get("base_tokens", 0)
        count = spent = 0
        for size in sizes:
            if count >= least and spent + size > left:
                break
            spent, count = spent + size, count + 1
        if spent:
            ledger.charge(Usage(base_tokens=spent))
        return count


def in_turn(groups: Sequence[Hashable]) -> Iterator[int]:
    """Places of things by the group of each: the first of every group, then the second of every, and so on."""
    own: dict[Hashable, list[int]] = {}
    for at, group in enumerate(groups):
        own.setdefault(group, []).append(at)
    for turn in range(max(map(len, own.values()), default=0)):
        yield from (places[turn] for places in own.values() if turn < len(places))


class _Cascade(OnBaseTokens, Generic[T, C]):
    """What evaluator and critic have in common: their judges, and what is left of a question's tokens and calls."""

    def __init__(self, small: T, base: T, *, tokens: int, chat: C | None = None) -> None:
        """`tokens` of a question are read by base, at most; `chat` is asked about what is open then."""
        super().__init__(tokens)
        self._small, self._base, self._chat = small, base, chat

    @property
    def fingerprint(self) -> str:
        """Names the weights of the judges, and the chat model."""
        told = [self._small.fingerprint, self._base.fingerprint, self._chat.fingerprint if self._chat else ""]
        return hashlib.sha256("".join(told).encode()).hexdigest()[:16]

    @property
    def gates(self) -> bool:
        """Whether base ranks well enough."""
        return self._base.gates

    def thresholds(self, strictness: Strictness) -> Thresholds:
        """Base's decision points."""
        return self._base.thresholds(strictness)

    def asking(self, chat: C | None) -> Self:
        """The same cascade over another chat model, or over none."""
        other = copy(self)
        other._chat = chat
        return other

    def _graded(
        self, pairs: Pairs, places: Sequence[int], kind: Literal["passage_calls", "statement_calls"], deadline: float
    ) -> dict[int, GradeName]:
        """What the chat model says of the pairs at these places, by the place; nothing where it said nothing readable.

        A question has one call of a kind; a model that fails leaves open what is open, and its failure is told.
        """
        ledger = self._ledger
        made = merge_usage(ledger.before, ledger.usage)[kind]
        if self._chat is None or not places or made or ledger.spent():
            return {}
        before = ledger.usage.get("calls", 0)
        try:
            grades = self._chat.charged_to(ledger).grades([pairs[at] for at in places], deadline=deadline)
            return {at: grade for at, grade in zip(places, grades, strict=True) if grade}
        except JudgeFailed as error:
            ledger.problems.append(Failure(node=CHAT, problem=error.problem, mend=error.mend))
            return {}
        finally:
            ledger.charge(cast("Usage", {kind: ledger.usage.get("calls", 0) - before}))


class CascadeCritic(_Cascade[TrainedCritic, ChatCritic]):
    """A `Critic`: whatever it says supports or contradicts a statement was said by base, or by a better chat model."""

    @property
    def hears(self) -> bool:
        """Whether base hears the question that a statement answers."""
        return self._base.hears

    def hearing(self, question: str) -> Self:
        """The same cascade, whose base judge and chat model hear the question that statements answer."""
        heard = copy(self)
        heard._base = self._base.hearing(question)
        heard._chat = self._chat and self._chat.hearing(question)
        return heard

    def judge(self, pairs: Pairs, *, deadline: float) -> list[Entailment]:
        """Judge (premise, hypothesis) pairs: small all of them, base first the first of each hypothesis.

        It reads that of each however many tokens it takes: what nobody judged is no answer. What base was not asked is
        undecided: small alone supports no more than base did, and contradicts nothing.
        """
        said = self._small.judge(pairs, deadline=deadline)
        asked = list(_in_turn(pairs, said))
        sizes = self._base.tokens([pairs[at] for at in asked])
        asked = asked[: self._affordable(sizes, least=len({said for _, said in pairs}))]
        judged = dict(zip(asked, self._base.judge([pairs[at] for at in asked], deadline=deadline), strict=True))
        most = dict[str, float]()
        for at in asked:
            most.setdefault(pairs[at][1], judged[at].entailment)
        found = [
            judged.get(at) or _held(replace(one, contradiction=0.0), most.get(pairs[at][1], 0.0))
            for at, one in enumerate(said)
        ]
        return self._settled(self._chat, pairs, found, most, deadline) if self._chat else found

    def _settled(
        self, chat: ChatCritic, pairs: Pairs, found: list[Entailment], most: Mapping[str, float], deadline: float
    ) -> list[Entailment]:
        """What base says; of the first premise of each statement weighed with the chat model's word on it.

        `most` is what base said first of each statement; those that it supports most are asked about first.
        """
        first = {said: at for at, (_, said) in reversed(list(enumerate(pairs)))}.values()
        places = sorted(first, key=lambda at: -most.get(pairs[at][1], 0.0))
        grades = self._graded(pairs, places, "statement_calls", deadline)
        return [weighed(one, grades[at], chat.weights) if at in grades else one for at, one in enumerate(found)]


def weighed(one: Entailment, grade: GradeName, weights: GradeWeights) -> Entailment:
    """A judgement weighed with a grade: the odds by Bayes' rule, as if the two judges erred apart from one another.

    A grade of `contradicted` denies all that is not entailed then; else neutral and denied keep their ratio.
    """
    weight = weights.of(grade)
    entailed = float(sigmoid(log_odds(one.entailment) + weight))
    denied = 1.0 if grade == "contradicted" else one.contradiction / max(1.0 - one.entailment, LEAST)
    against = (1.0 - entailed) * denied
    return replace(
        one,
        entailment=entailed,
        neutral=1.0 - entailed - against,
        contradiction=against,
        judged_by="chat",
        weight=weight,
    )


def _in_turn(pairs: Pairs, said: Sequence[Entailment]) -> Iterator[int]:
    """Places of pairs: the first premise of every hypothesis, then its likeliest other one, and so on."""
    first = {hypothesis: at for at, (_, hypothesis) in reversed(list(enumerate(pairs)))}.values()
    ranked = sorted(range(len(pairs)), key=lambda at: (at not in first, -said[at].entailment))
    yield from (ranked[turn] for turn in in_turn([pairs[at][1] for at in ranked]))


def _held(one: Entailment, most: float) -> Entailment:
    """The judgement, which supports no more than `most`."""
    entailment = min(one.entailment, most)
    return replace(one, entailment=entailment, neutral=1.0 - entailment - one.contradiction)


class CascadeEvaluator(_Cascade[TrainedEvaluator, ChatEvaluator]):
    """A `RetrievalEvaluator`: base scores the passages on which the decision hangs, and small's word counts beside it.

    Base knows what answers, small what leads to an answer.
    """

    def score(self, pairs: Pairs, *, deadline: float) -> list[Relevance]:
        """Judge (question, passage) pairs: small all of them, base the likeliest of each question."""
        said = self._small.score(pairs, deadline=deadline)
        asked = sorted(range(len(pairs)), key=lambda at: -said[at].probability)
        sizes = self._base.scorer.tokens([pairs[at] for at in asked], "relevance")
        known = self._affordable(sizes, OF_PASSAGES)
        scored = self._base.score([pairs[at] for at in asked[:known]], deadline=deadline)
        judged = {at: self._beside(one, said[at]) for at, one in zip(asked, scored, strict=False)}
        least = min((one.probability for one in judged.values()), default=1.0)
        found = [judged.get(at) or replace(one, probability=min(one.probability, least)) for at, one in enumerate(said)]
        return self._settled(pairs, found, asked, known, deadline) if self._chat else found

    def _beside(self, base: Relevance, small: Relevance) -> Relevance:
        """Base's word on a pair weighed with small's."""
        return replace(base, probability=self._base.calibration.relevant(base.probability, small.probability))

    def _settled(
        self, pairs: Pairs, found: list[Relevance], ranked: Sequence[int], known: int, deadline: float
    ) -> list[Relevance]:
        """What base says, but what the chat model says of passages that are open, of questions that none answers yet.

        The first `known` of the ranked places were scored by base.
        """
        upper = self.thresholds("normal").upper
        answered = {pairs[at][0] for at, one in enumerate(found) if one.probability >= upper}
        places = [
            at
            for rank, at in enumerate(ranked)
            if pairs[at][0] not in answered and (rank >= known or found[at].probability >= OPEN)
        ]
        grades = self._graded(pairs, places, "passage_calls", deadline)
        return [
            replace(one, probability=self._said(grades[at])) if at in grades else one for at, one in enumerate(found)
        ]

    def _said(self, grade: GradeName) -> float:
        """A grade on base's scale: what is full is correct at every strictness, what is partial ambiguous."""
        points = self.thresholds("normal")
        least = min(self.thresholds(strictness).upper for strictness in STRICTNESSES)
        most = max(self.thresholds(strictness).among(COMPANY).upper for strictness in STRICTNESSES)
        ambiguous = min((points.lower + points.upper) / 2, UNDER * least)
        return {"full": max(FULL, most), "partial": ambiguous}.get(grade, 0.0)

    def usefulness(self, pairs: Pairs, *, deadline: float) -> list[float]:
        """P(the text answers), by both; base reads each however many tokens it takes: such texts are short."""
        self._affordable(self._base.scorer.tokens(pairs, "relevance"), least=len(pairs))
        said = zip(*(judge.score(pairs, deadline=deadline) for judge in (self._base, self._small)), strict=True)
        return [self._beside(*both).probability for both in said]
