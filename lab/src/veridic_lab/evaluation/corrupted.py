"""Questions whose right pages are found or not: a knowledge base that loses them, and what comes of a share lost."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from veridic.models.fitting import resamples
from veridic.ports.memory import KnowledgeBase
from veridic.ports.shapes import Passage
from veridic_lab.bootstrap import Interval, interval, ratio
from veridic_lab.evaluation.outside import Ground
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.evaluation.suite import Recipe, Suite

Came = Literal["right", "wrong", "silent"]


class Case(NamedTuple):
    """One question put to one system while some of its right pages could not be found."""

    system: str
    question: str
    pages: int
    """That are right, at least 1."""
    lost: int
    came: Came


@dataclass(frozen=True)
class Within:
    """The questions of `outside` with their pages in the corpus, too; all pages stand outside besides."""

    suite: Suite
    passages: Mapping[str, frozenset[str]]
    """Of each page, by its address, the passages of it in the corpus."""

    @classmethod
    def read(cls, recipe: Recipe, folder: Path, suite: Suite, asked: Sequence[GoldQuestion]) -> Within:
        """`suite` is `outside`, of which `asked` are asked. Raises `UsageError` when a file is missing."""
        right = {address for one in asked for address in one.gold}
        pages = [page for page in Ground.read(recipe, folder).page_of.values() if page.url in right]
        own = {page.url: page.passages for page in pages}
        documents = (*suite.documents, *(passage for passages in own.values() for passage in passages))
        held = Suite("corrupted", tuple(asked), documents, outside=suite.outside)
        return cls(held, {url: frozenset(one.url for one in passages) for url, passages in own.items()})


class Losing:
    """A knowledge base whose searches find nothing of what is lost; what ranks next takes its place."""

    def __init__(self, known: KnowledgeBase, lost: set[str]) -> None:
        """`lost` holds the addresses of passages; it may change between questions."""
        self._known = known
        self._lost = lost

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the knowledge base has
        return getattr(self._known, name)

    def within(self, places: Sequence[str]) -> Losing:
        """As the knowledge base's."""
        return Losing(self._known.within(places), self._lost)

    def beneath_records(self) -> Losing:
        """As the knowledge base's."""
        return Losing(self._known.beneath_records(), self._lost)

    def search(self, queries: Sequence[str], *, limit: int, deadline: float) -> list[list[Passage]]:
        """As many passages as without loss, as far as there are."""
        found = self._known.search(queries, limit=limit + len(self._lost), deadline=deadline)
        return [[one for one in passages if one["url"] not in self._lost][:limit] for passages in found]


def losses(pages: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every choice of pages that can be lost, none first."""
    for number in range(len(pages) + 1):
        yield from combinations(pages, number)


def expected(cases: Iterable[Case], share: float, came: Came) -> dict[str, float]:
    """Of each question the probability that it comes to this where each right page is lost with the share as chance."""
    found: dict[str, float] = {}
    for case in cases:
        chance = share**case.lost * (1 - share) ** (case.pages - case.lost)
        found[case.question] = found.get(case.question, 0.0) + chance * (case.came == came)
    return found


def rate(cases: Iterable[Case], share: float, came: Came) -> Interval:
    """The mean of that over the questions, of which there is at least one; 95 % by resampling them."""
    parts = expected(cases, share, came)
    found = interval(ratio([*parts.values()], np.ones(len(parts))), resamples([*parts]))
    if found is None:
        raise ValueError("There are no questions.")
    return found


def keep(cases: Iterable[Case], path: Path) -> None:
    """Keep them, a line each."""
    lines = ",\n".join(json.dumps(one) for one in cases)
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def kept_in(path: Path) -> list[Case]:
    """What `keep` wrote; nothing where there is no such file."""
    return [Case(*one) for one in json.loads(path.read_text(encoding="utf-8"))] if path.exists() else []
