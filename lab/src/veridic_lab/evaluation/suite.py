"""What a suite is: questions, the documents they are asked of, and what stands outside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from veridic.knowledge.ingest import Text
from veridic_lab.evaluation.questions import GoldQuestion


@dataclass(frozen=True)
class Left:
    """How many questions of a set there are, and how many of them may be measured."""

    all: int
    unseen: int
    """Neither trained nor calibrated the judges."""
    usable: int
    """Of those, in the suite: without those that another passage may answer."""


@dataclass(frozen=True)
class Outside:
    """Whole pages that are served by the recorded world; `url` is what a citation of them says."""

    articles: tuple[Text, ...]
    """Behind MediaWiki and the web search."""
    papers: tuple[Text, ...]
    """Behind arXiv and the web search."""

    @property
    def pages(self) -> tuple[Text, ...]:
        """All of them."""
        return (*self.articles, *self.papers)


@dataclass(frozen=True)
class Suite:
    """Questions, and the documents they are asked of: texts, or a folder of one's own."""

    name: str
    questions: tuple[GoldQuestion, ...]
    documents: tuple[Text, ...] = ()
    folder: Path | None = None
    left: Mapping[str, Left] = field(default_factory=dict)
    outside: Outside | None = None
    """None: nothing may be asked outside."""


@dataclass(frozen=True)
class Recipe:
    """Which sets a suite is made of."""

    sets: tuple[str, ...]
    near: tuple[str, ...]
    """Their unanswerable questions are asked, or their passages stand about as distractors."""
    papers: tuple[str, ...] = ()
    """The sets whose passages are scientific abstracts."""
