"""Critic pairs made by rules from real passages, with premises as the graph gives them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from veridic.text.sentences import sentences
from veridic.training.pairs import NLI_LABELS, Pair
from veridic.training.rules import (
    CONTRADICTING,
    NOT_ENTAILED,
    Rng,
    dropped_clause,
    names,
    resolved_pronoun,
)

Made = tuple[str, str, int, str]
"""Premise, hypothesis, label and the rule's name."""
_HEADINGS = ("History", "Overview", "Background", "Early life", "Career", "Description", "Details", "Results")


@dataclass(frozen=True)
class Passage:
    """A passage of a corpus, cut into sentences."""

    key: str
    title: str
    sentences: tuple[str, ...]


def cut(key: str, title: str, text: str) -> Passage:
    """A passage from its text; underscores in the title become spaces."""
    return Passage(
        key, " ".join(title.replace("_", " ").split()), tuple(" ".join(s.text.split()) for s in sentences(text))
    )


def with_header(title: str, text: str, rng: Rng) -> str:
    """The text under its title, its title and a heading, or bare."""
    draw = rng.random()
    if not title or draw < 0.3:
        return text
    if draw < 0.8:
        return f"{title}\n{text}"
    return f"{title} > {_HEADINGS[int(rng.integers(len(_HEADINGS)))]}\n{text}"


def made_pairs(passages: Sequence[Passage], rng: Rng, each: int, families: frozenset[str] | None = None) -> list[Pair]:
    """About `each` pairs a passage; `families` limits the rules that make false sentences."""
    makers = Makers(passages, rng, families)
    return [pair for passage in passages for pair in makers.of(passage, each)]


class Makers:
    """Draws sentences, premises and labels; every pair carries the rule as its part."""

    def __init__(self, passages: Sequence[Passage], rng: Rng, families: frozenset[str] | None) -> None:
        """`passages` are where foreign names and distracting strips are drawn from."""
        self._passages = passages
        self._rng = rng
        rules = [(n, r, 2) for n, r in CONTRADICTING.items()] + [(n, r, 3) for n, r in NOT_ENTAILED.items()]
        self._rules = [rule for rule in rules if families is None or rule[0] in families]

    def of(self, passage: Passage, each: int) -> Iterator[Pair]:
        """Pairs of one passage."""
        usable = [i for i, s in enumerate(passage.sentences) if 5 <= len(s.split()) <= 60]
        for _ in range(each if usable else 0):
            at = usable[int(self._rng.integers(len(usable)))]
            kind = self._rng.random()
            made: Made | None
            if kind < 0.42:
                made = self._true(passage, at)
            elif kind < 0.84:
                made = self._false(passage, at)
            else:
                made = self._open(passage, at)
            if made:
                premise, hypothesis, label, part = made
                yield Pair("nli", premise, hypothesis, label, "rules", f"rules:{passage.key}", "", part)

    def _true(self, passage: Passage, at: int) -> Made:
        sentence = passage.sentences[at]
        draw = self._rng.random()
        if draw < 0.3 and (shorter := dropped_clause(sentence, self._rng, ())):
            return self._premise(passage, at), shorter, 0, "clause"
        if draw < 0.45 and (named := resolved_pronoun(sentence, passage.title)):
            return f"{passage.title}\n{self._strip(passage, at)}", named, 0, "pronoun"
        if draw < 0.6 and at + 1 < len(passage.sentences):
            both = f"{sentence.rstrip('.')}, and {passage.sentences[at + 1]}"
            return self._premise(passage, at, at + 1), both, 0, "fusion"
        if draw < 0.68 and (found := names(sentence)):
            fragment = found[int(self._rng.integers(len(found)))].group()
            return self._premise(passage, at), fragment, 0, "fragment"
        if draw < 0.75:
            return sentence, sentence.rstrip("."), 0, "copy"
        return self._premise(passage, at), sentence, 0, "copy"

    def _false(self, passage: Passage, at: int) -> Made | None:
        sentence = passage.sentences[at]
        near = [m.group() for s in passage.sentences for m in names(s)]
        far = [m.group() for m in names(" ".join(self._other(passage).sentences))]
        for index in self._rng.permutation(len(self._rules)):
            name, rule, label = self._rules[index]
            base = dropped_clause(sentence, self._rng, ()) if self._rng.random() < 0.25 else None
            changed = rule(base or sentence, self._rng, near if self._rng.random() < 0.5 else far)
            if changed and changed not in " ".join(passage.sentences):
                return self._premise(passage, at), changed, label, name
        return None

    def _open(self, passage: Passage, at: int) -> Made | None:
        sentence = passage.sentences[at]
        other = self._other(passage)
        draw = self._rng.random()
        if draw < 0.4 and len(passage.sentences) > 2:
            away = [i for i in range(len(passage.sentences)) if abs(i - at) > 1]
            if away:
                rest = passage.sentences[away[int(self._rng.integers(len(away)))]]
                return with_header(passage.title, rest, self._rng), sentence, 1, "elsewhere"
        foreign = other.sentences[0] if other.sentences else ""
        if len(foreign.split()) < 5:
            return None
        if draw < 0.7:
            return self._premise(passage, at), f"{sentence.rstrip('.')}, and {foreign}", 3, "half"
        if draw < 0.8 and (found := [m.group() for m in names(foreign) if m.group() not in sentence]):
            return self._strip(passage, at), found[0], 1, "fragment"
        return self._premise(passage, at), foreign, 1, "foreign"

    def _other(self, passage: Passage) -> Passage:
        other = self._passages[int(self._rng.integers(len(self._passages)))]
        return other if other.key != passage.key else self._passages[0]

    def _strip(self, passage: Passage, first: int, last: int | None = None) -> str:
        last = first if last is None else last
        start = max(0, first - int(self._rng.integers(0, 3)))
        end = min(len(passage.sentences), max(last + 1, start + int(self._rng.integers(1, 4))))
        return " ".join(passage.sentences[start:end])

    def _premise(self, passage: Passage, first: int, last: int | None = None) -> str:
        strip = self._strip(passage, first, last)
        if self._rng.random() < 0.7:
            return with_header(passage.title, strip, self._rng)
        strips = [strip, *(self._foreign_strip(passage) for _ in range(int(self._rng.integers(1, 4))))]
        return "\n".join(strips[i] for i in self._rng.permutation(len(strips)))

    def _foreign_strip(self, passage: Passage) -> str:
        other = passage if self._rng.random() < 0.4 else self._other(passage)
        return self._strip(other, int(self._rng.integers(max(1, len(other.sentences)))))


def answer_fragments(rows: Sequence[tuple[str, str, str, str]], rng: Rng) -> list[Pair]:
    """Short answers as hypotheses: entailed by a passage that says them, open in another.

    A row is (key, answer, passage that holds it, passage that does not).
    """
    entailed = NLI_LABELS.index("entailment")
    made: list[Pair] = []
    for key, answer, holds, lacks in rows:
        ending = "." if rng.random() < 0.5 else ""
        made.append(Pair("nli", holds, answer + ending, entailed, "rules", key, "", "answer"))
        if rng.random() < 0.7:
            made.append(Pair("nli", lacks, answer + ending, entailed + 1, "rules", key, "", "answer"))
    return made


def seeded(seed: int) -> Rng:
    """A generator of its own."""
    return np.random.default_rng(seed)
