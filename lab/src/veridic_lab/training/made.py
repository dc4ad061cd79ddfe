"""Critic pairs made by rules from real passages, with premises as the graph gives them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from veridic.text.sentences import leans_back, sentences
from veridic_lab.training.pairs import NLI_LABELS, Pair, held_out
from veridic_lab.training.paraphrases import PARAPHRASES, dropped_clause, less_certain, resolved_pronoun
from veridic_lab.training.rules import CONTRADICTING, NOT_ENTAILED, UNASSERTED
from veridic_lab.training.veridicality import LEARNED, MEASURED, Frames
from veridic_lab.training.wording import Rng, names, passive

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


def made_pairs(
    passages: Sequence[Passage],
    rng: Rng,
    each: int,
    families: frozenset[str] | None = None,
    frames: Frames | None = None,
) -> list[Pair]:
    """About `each` pairs a passage; `families` limits the rules that make false sentences.

    Without `frames` held-out passages have those that measure, the others those that are learned.
    """
    makers = Makers(passages, rng, families, frames)
    return [pair for passage in passages for pair in makers.of(passage, each)]


class Makers:
    """Draws sentences, premises and labels; every pair carries the rule as its part."""

    def __init__(
        self, passages: Sequence[Passage], rng: Rng, families: frozenset[str] | None, frames: Frames | None
    ) -> None:
        """`passages` are where foreign names and distracting strips are drawn from."""
        self._passages = passages
        self._frames = frames
        self._rng = rng
        rules = [(n, r, 2) for n, r in CONTRADICTING.items()] + [(n, r, 3) for n, r in NOT_ENTAILED.items()]
        self._rules = [rule for rule in rules if families is None or rule[0] in families]
        self._exchanging = families is None or "role" in families
        self._framing = families is None or UNASSERTED in families

    def of(self, passage: Passage, each: int) -> Iterator[Pair]:
        """Pairs of one passage."""
        usable = self._usable(passage)
        for _ in range(each if usable else 0):
            at = usable[int(self._rng.integers(len(usable)))]
            kind = self._rng.random()
            made: Made | None
            if kind < 0.42:
                made = self._true(passage, at)
            elif kind < 0.84:
                made = self._false(passage)
            else:
                made = self._open(passage, at)
            if made:
                yield _pair(passage, made)
        for made in (*self._voices(passage), *self._framed(passage)):
            yield _pair(passage, made)

    def _true(self, passage: Passage, at: int) -> Made:
        sentence = passage.sentences[at]
        draw = self._rng.random()
        if draw < 0.45 and (told := self._paraphrase(passage)):
            return told
        if draw < 0.55 and (named := resolved_pronoun(sentence, passage.title)):
            return f"{passage.title}\n{self._strip(passage, at)}", named, 0, "pronoun"
        if draw < 0.7 and at + 1 < len(passage.sentences):
            both = f"{sentence.rstrip('.')}, and {passage.sentences[at + 1]}"
            return self._premise(passage, at, at + 1), both, 0, "fusion"
        if draw < 0.76 and (found := names(sentence)):
            fragment = found[int(self._rng.integers(len(found)))].group()
            return self._premise(passage, at), fragment, 0, "fragment"
        if draw < 0.8 and (hedged := less_certain(sentence, self._rng)):
            return self._premise(passage, at), hedged, 0, "less certain"
        if draw < 0.85:
            return sentence, sentence.rstrip("."), 0, "copy"
        return self._premise(passage, at), sentence, 0, "copy"

    def _voices(self, passage: Passage) -> Iterator[Made]:
        """Each passive told actively, rightly and with its roles exchanged: the same words, another meaning."""
        for at in self._usable(passage):
            found = passive(passage.sentences[at])
            if found and self._exchanging:
                yield self._premise(passage, at), found.actively, 0, "active"
                yield self._premise(passage, at), found.exchanged, 3, "role"

    def _framed(self, passage: Passage) -> Iterator[Made]:
        """One sentence and the passage with it in a frame, which vouches for it or does not."""
        vouched = self._rng.random() < 0.5
        frames = self._frames or (MEASURED if held_out(_key(passage)) else LEARNED)
        for at in self._usable(passage) if self._framing else ():
            sentence = passage.sentences[at]
            if not leans_back(sentence) and (told := frames.told(sentence, self._rng, vouched=vouched)):
                around = (*passage.sentences[:at], told, *passage.sentences[at + 1 :])
                premise = self._premise(replace(passage, sentences=around), at)
                yield premise, sentence, 0 if vouched else 3, "asserted" if vouched else UNASSERTED
                return

    def _paraphrase(self, passage: Passage) -> Made | None:
        """A true change of any sentence that allows it; the kinds are tried in random order."""
        for index in self._rng.permutation(len(PARAPHRASES)):
            name, rule = list(PARAPHRASES.items())[int(index)]
            for at in self._usable(passage):
                if changed := rule(passage.sentences[at], self._rng):
                    return self._premise(passage, at), changed, 0, name
        return None

    def _false(self, passage: Passage) -> Made | None:
        """A false change of any sentence that allows it, so that rare families are seen as often as can be."""
        near = [m.group() for s in passage.sentences for m in names(s)]
        far = [m.group() for m in names(" ".join(self._other(passage).sentences))]
        for index in self._rng.permutation(len(self._rules)):
            name, rule, label = self._rules[index]
            for at in self._usable(passage):
                sentence = passage.sentences[at]
                base = dropped_clause(sentence, self._rng) if self._rng.random() < 0.25 else None
                changed = rule(base or sentence, self._rng, near if self._rng.random() < 0.5 else far)
                if changed and changed not in " ".join(passage.sentences):
                    return self._premise(passage, at), changed, label, name
        return None

    def _usable(self, passage: Passage) -> list[int]:
        """Places of the sentences that are neither scraps nor lists, in random order."""
        usable = [i for i, s in enumerate(passage.sentences) if 5 <= len(s.split()) <= 60]
        return [usable[i] for i in self._rng.permutation(len(usable))]

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
            return self._strip(passage, at), found[0], 1, "foreign fragment"
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


def _pair(passage: Passage, made: Made) -> Pair:
    premise, hypothesis, label, part = made
    return Pair("nli", premise, hypothesis, label, "rules", _key(passage), "", part)


def _key(passage: Passage) -> str:
    return f"rules:{passage.key}"


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
