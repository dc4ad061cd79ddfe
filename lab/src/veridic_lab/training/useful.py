"""Pairs for usefulness: does a text hold an answer, or does it only speak of what is asked about?

Relevance cannot tell. The first hop of "where did the director of X study?" is relevant, and says who the director is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from veridic.text.sentences import windows
from veridic_lab.training.metrics import overlap
from veridic_lab.training.pairs import Pair, normalised
from veridic_lab.training.sets import Passage, Question, with_header
from veridic_lab.training.tables import table
from veridic_lab.training.wording import Rng

ALSO_USEFUL: Mapping[str, float] = table(__package__, "weights")["also useful"]
"""Sets whose relevant texts hold an answer, and the share of their pairs that usefulness is learned from besides.

Of what was retrieved the strips: a whole passage may only lead to the answer.
"""


def answer_strips(
    questions: Sequence[Question], corpus: Mapping[str, Passage], rng: Rng, *, source: str
) -> Iterator[Pair]:
    """Of each gold passage a strip that holds the answer, and of those that do not the one nearest to the question.

    Questions for yes or no, and those that name their answer, are passed over.
    """
    for question in questions:
        if not question.answers or _told(question):
            continue
        for passage in (corpus[gold] for gold in question.gold if gold in corpus):
            strips = [window.text for window in windows(" ".join(passage.sentences))]
            holding = [strip for strip in strips if question.answered_by(strip)]
            others = [strip for strip in strips if not question.answered_by(f"{passage.title}\n{strip}")]
            if holding:
                yield _pair(question, passage, holding[0], 1, source, rng)
            if others:
                near = max(others, key=lambda strip: overlap(question.text, strip))
                yield _pair(question, passage, near, 0, source, rng)


def also_useful(sets: Mapping[str, Sequence[Pair]], rng: Rng) -> list[Pair]:
    """Pairs of other sets with their labels of relevance, as labels of usefulness."""
    return [
        replace(pair, task="usefulness")
        for name, share in ALSO_USEFUL.items()
        for pair in sets.get(name, ())
        if pair.part != "chunk" and rng.random() < share
    ]


def _told(question: Question) -> bool:
    answer = normalised(question.answers[0])
    return answer in ("", "yes", "no") or f" {answer} " in f" {normalised(question.text)} "


def _pair(question: Question, passage: Passage, strip: str, label: int, source: str, rng: Rng) -> Pair:
    shown = with_header(passage.title, strip, rng)
    return Pair("usefulness", question.text, shown, label, source, question.key, "", "strip")
