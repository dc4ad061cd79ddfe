"""Judges made of word overlap: instant, deterministic, wrong where overlap is wrong."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from veridic.errors import JudgeFailed
from veridic.protocols import Entailment, Relevance, Strictness, Thresholds
from veridic.text.facts import words
from veridic.text.questions import keywords

THRESHOLDS = Thresholds(upper=0.6, lower=0.3, strip=0.3, support=0.7, contradiction=0.7, abstention=0.3)


class _FakeJudge:
    gates = True

    def __init__(self, **points: float) -> None:
        """`points` replaces some of `THRESHOLDS`."""
        self._thresholds = replace(THRESHOLDS, **points)

    def thresholds(self, strictness: Strictness) -> Thresholds:
        return self._thresholds


class OverlapEvaluator(_FakeJudge):
    """Relevance is the share of the question's keywords that the passage holds."""

    fingerprint = "overlap-evaluator"

    def score(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Relevance]:
        return [Relevance(self._shared(query, passage), (0, len(passage))) for query, passage in pairs]

    def usefulness(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[float]:
        return [found.probability for found in self.score(pairs, deadline=deadline)]

    def _shared(self, query: str, passage: str) -> float:
        wanted, held = set(keywords(query)), set(words(passage))
        return len(wanted & held) / len(wanted) if wanted else 0.0


class RandomEvaluator(OverlapEvaluator):
    """Relevance is a number drawn by chance, the same for the same pair."""

    fingerprint = "random-evaluator"

    def _shared(self, query: str, passage: str) -> float:
        return Random(f"{query}\0{passage}").random()  # noqa: S311 - a test's chance, not a secret


class OverlapCritic(_FakeJudge):
    """Entailment is the share of the hypothesis's words that the premise holds; a lone `not` contradicts."""

    fingerprint = "overlap-critic"

    def judge(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Entailment]:
        return [self._said(premise, hypothesis) for premise, hypothesis in pairs]

    def _said(self, premise: str, hypothesis: str) -> Entailment:
        held, said = set(words(premise)), set(words(hypothesis))
        share = len(held & said) / len(said) if said else 0.0
        if ("not" in held) != ("not" in said):
            return Entailment(0.0, 1.0 - share, share, (0, len(premise)))
        return Entailment(share, 1.0 - share, 0.0, (0, len(premise)))


class BrokenCritic(OverlapCritic):
    """A critic whose every call fails."""

    fingerprint = "broken-critic"

    def judge(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Entailment]:
        raise JudgeFailed("The critic is out of order.", "Run `veridic doctor`.")


class BrokenEvaluator(OverlapEvaluator):
    """An evaluator whose every call fails."""

    fingerprint = "broken-evaluator"

    def score(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Relevance]:
        raise JudgeFailed("The evaluator is out of order.", "Run `veridic doctor`.")
