"""Reader and evaluator without their last word: no answer is refused because it may not be the answer.

With the document and strip thresholds at 0 besides, what was found is what is said, as in the
agents that take web results as they come. Both still rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from veridic.ports.judgements import AnswerSigns, Reading, Relevance, SentenceSigns, Strictness, Thresholds
from veridic.ports.judging import Reader, RetrievalEvaluator
from veridic.runtime.ledger import Ledger, charged
from veridic.runtime.run import Resources
from veridic.text.kinds import AnswerKind


def trusting(resources: Resources) -> Resources:
    """The resources with a reader that is sure of everything and an evaluator that lets every answer pass."""
    return replace(resources, evaluator=LetsPass(resources.evaluator), reader=AlwaysSure(resources.reader))


class LetsPass:
    """An evaluator whose scores are another's, and whose threshold of usefulness is 0."""

    def __init__(self, inner: RetrievalEvaluator) -> None:
        """`inner` scores."""
        self._inner = inner

    def charged_to(self, ledger: Ledger) -> LetsPass:
        """The same over an inner evaluator that keeps this account, if its judgements cost calls."""
        return LetsPass(charged(self._inner, ledger))

    @property
    def fingerprint(self) -> str:
        """The inner evaluator's."""
        return self._inner.fingerprint

    @property
    def gates(self) -> bool:
        """As the inner evaluator."""
        return self._inner.gates

    def thresholds(self, strictness: Strictness) -> Thresholds:
        """The inner evaluator's, without the last one."""
        return replace(self._inner.thresholds(strictness), abstention=0.0)

    def score(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Relevance]:
        """See `RetrievalEvaluator`."""
        return self._inner.score(pairs, deadline=deadline)

    def usefulness(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[float]:
        """See `RetrievalEvaluator`."""
        return self._inner.usefulness(pairs, deadline=deadline)


class AlwaysSure:
    """A reader that reads and weighs as another, and needs no confidence to answer."""

    def __init__(self, inner: Reader) -> None:
        """`inner` reads."""
        self._inner = inner

    @property
    def fingerprint(self) -> str:
        """The inner reader's."""
        return self._inner.fingerprint

    @property
    def gates(self) -> bool:
        """As the inner reader."""
        return self._inner.gates

    def read(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Reading]:
        """See `Reader`."""
        return self._inner.read(pairs, deadline=deadline)

    def confidence(self, kind: AnswerKind, signs: AnswerSigns) -> float:
        """See `Reader`."""
        return self._inner.confidence(kind, signs)

    def answering(self, signs: SentenceSigns) -> float:
        """See `Reader`."""
        return self._inner.answering(signs)

    def needed(self, kind: AnswerKind, strictness: Strictness) -> float:  # noqa: ARG002 - the protocol's
        """Nothing."""
        return 0.0
