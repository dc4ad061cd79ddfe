"""The graph without the evaluator's last word: no answer is refused because it does not answer the question.

With the document and strip thresholds at 0 besides, what was found is what is said, as in the
agents that take web results as they come. The evaluator still ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from veridic.graph.builder import Graph, build_graph
from veridic.protocols import Relevance, Resources, RetrievalEvaluator, Strictness, Thresholds


def trusting(resources: Resources) -> Graph:
    """The compiled graph on an evaluator that lets every answer pass."""
    return build_graph(replace(resources, evaluator=LetsPass(resources.evaluator)))


class LetsPass:
    """An evaluator whose scores are another's, and whose threshold of usefulness is 0."""

    def __init__(self, inner: RetrievalEvaluator) -> None:
        """`inner` scores."""
        self._inner = inner

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
