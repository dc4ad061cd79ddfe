"""Where evidence comes in: what gives orders is taken out of it here, before any node has it, and listed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypedDict, cast

from veridic.errors import JudgeFailed
from veridic.ports.shapes import Failure, Flagged, Passage
from veridic.runtime.orders import screened as without_orders
from veridic.runtime.orders import texts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from veridic.ports.judging import InjectionDetector
    from veridic.ports.memory import KnowledgeBase, Recollected
    from veridic.ports.shapes import RecordStatus

    Clean = Callable[[Sequence[Passage], float], list[Passage]]

SCREENING = "screen"
"""Under this name a detector that failed stands among the failures; the run ends unverified."""


class Screening(TypedDict, total=False):
    """What was found in a step, as an update of the run's state; missing means nothing."""

    flagged: list[Flagged]
    failures: list[Failure]


@dataclass
class Screen:
    """What was taken out in one step of one run."""

    flagged: list[Flagged] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)

    def clean(self, passages: Sequence[Passage], detector: InjectionDetector, *, deadline: float) -> list[Passage]:
        """The passages without what gives orders; of a detector that fails without what its markup gives away."""
        texts = texts_of(passages)
        try:
            odds = dict(zip(texts, detector.orders(texts, deadline=deadline), strict=True))
        except JudgeFailed as error:
            self.failures.append(Failure(node=SCREENING, problem=error.problem, mend=error.mend))
            odds = {}
        looked_at = [without_orders(one, odds, detector.threshold) for one in passages]
        self.flagged += [flag for _, flags in looked_at for flag in flags]
        return [clean for clean, _ in looked_at]

    def found(self) -> Screening:
        """What was found so far."""
        told: Screening = {"flagged": self.flagged} if self.flagged else {}
        return {**told, "failures": self.failures} if self.failures else told


def screened(knowledge: KnowledgeBase, clean: Clean) -> KnowledgeBase:
    """A knowledge base whose passages come out clean; everything else is the knowledge base's own."""
    return cast("KnowledgeBase", _Screened(knowledge, clean))


class _Screened:
    def __init__(self, knowledge: KnowledgeBase, clean: Clean) -> None:
        self._knowledge = knowledge
        self._clean = clean

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the knowledge base has
        return getattr(self._knowledge, name)

    def search(self, queries: Sequence[str], *, limit: int, deadline: float) -> list[list[Passage]]:
        found = self._knowledge.search(queries, limit=limit, deadline=deadline)
        return self._each(found, deadline)

    def search_outside(
        self, queries: Sequence[str], *, limit: int, since: float, deadline: float
    ) -> list[list[Passage]]:
        found = self._knowledge.search_outside(queries, limit=limit, since=since, deadline=deadline)
        return self._each(found, deadline)

    def recollect(
        self, question: str, *, statuses: Sequence[RecordStatus], depth: int, deadline: float
    ) -> list[Recollected]:
        found = self._knowledge.recollect(question, statuses=statuses, depth=depth, deadline=deadline)
        clean = self._each([one.passages for one in found], deadline)
        return [replace(one, passages=passages) for one, passages in zip(found, clean, strict=True)]

    def opening(self, name: str, *, exactly: bool, limit: int, deadline: float) -> list[Passage]:
        found = self._knowledge.opening(name, exactly=exactly, limit=limit, deadline=deadline)
        return self._clean(found, deadline)

    def _each(self, found: list[list[Passage]], deadline: float) -> list[list[Passage]]:
        """The answers to several queries, cleaned in one batch."""
        clean = iter(self._clean([passage for passages in found for passage in passages], deadline))
        return [[next(clean) for _ in passages] for passages in found]
