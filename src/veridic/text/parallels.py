"""Sentences that tell the same of several, each with a value of its own, taken apart. English.

"The fee is 5 euros for adults and 3 euros for children" says two things, and who reads it at once gives one the other's
value. What is parallel is seen by its form: numbers, names, words of a closed class and the others in one order.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from operator import and_

from veridic.text.facts import in_digits, words
from veridic.text.stop_words import is_closed

LONGEST = 12
"""Words of a part of the list, at most, and of what it has in common with the first."""
MOST_VERBS = 3
"""Words between a subject and its value, at most: "has | been given | a key"."""
SHORTEST = 3
"""Runs of words of one kind in a part of the list, at least: "5 euros | for | adults"."""
_PAIRED = re.compile(r"\b(?:between|both|either|neither) $", re.IGNORECASE)
"""What takes both parts together."""
_PIECE = re.compile(r"(?:,? and |, )(?=\S)")
_FIGURE = re.compile(r"[€$£]?\d")
_WORD = re.compile(r"\S+")


@dataclass(frozen=True)
class Told:
    """What such a sentence says of one: a sentence, and the places in which it differs from those of the others."""

    text: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class _Run:
    """Words of one kind in a row: a number, a word of a closed class, or words that carry meaning."""

    kind: str
    text: str


def told_apart(sentence: str) -> list[Told]:
    """What a sentence says of each; empty where it is not plainly of several with a value each."""
    first, *others = _PIECE.split(sentence.rstrip(" .!"))
    if not others or any(len(one.split()) > LONGEST for one in others):
        return []
    return _gapped(first, others) or _listed(first, others)


def of_one(told: Sequence[Told], claim: str) -> list[Told]:
    """Those of which a claim may be that has one value in each place, or none; empty where it has several, or none."""
    said = _words(claim)
    places = [_own_words(values) for values in zip(*(one.values for one in told), strict=True)]
    named = [[bool(own) and own <= said for own in place] for place in places]
    if any(sum(place) > 1 for place in named):
        return []
    return [one for one, own in zip(told, zip(*named, strict=True), strict=True) if any(own)]


def _own_words(values: Sequence[str]) -> list[set[str]]:
    """The words of each value that not all of them have."""
    held = [_words(value) for value in values]
    common = reduce(and_, held)
    return [own - common for own in held]


def _words(text: str) -> set[str]:
    return {in_digits(word) for word in words(text)}


def _listed(first: str, others: Sequence[str]) -> list[Told]:
    """`S is 5 euros for adults | 3 euros for children`: what all parts have in common stands before the first."""
    form = _form(others[0])
    if len(form) < SHORTEST or form[0] == "word" or "number" not in form or any(_form(one) != form for one in others):
        return []
    starts = [match.start() for match in _WORD.finditer(first)][1:][-LONGEST:]
    start = next((at for at in starts if _form(first[at:]) == form and not _PAIRED.search(first[:at])), None)
    return [] if start is None else list(_told(first[:start], [first[start:], *others]))


def _gapped(first: str, others: Sequence[str]) -> list[Told]:
    """`A made 5 cakes | B 3 cakes`: the verb of the first is that of all."""
    cuts = [next(_cuts(first, one), None) for one in others]
    found = [cut for cut in cuts if cut]
    if len(found) < len(others) or len({(cut.subject, cut.value) for cut in found}) > 1:
        return []
    return list(_distinct([Told(first, (found[0].subject, found[0].value)), *(cut.told for cut in found)]))


@dataclass(frozen=True)
class _Cut:
    """Subject and value of the first part, and what a further one tells in their place."""

    subject: str
    value: str
    told: Told


def _cuts(first: str, other: str) -> Iterator[_Cut]:
    """Each way to read a part as a subject and a value that stand in the place of the first's."""
    mine, own = first.split(), other.split()
    for length in range(1, len(own)):
        subject, value = " ".join(own[:length]), " ".join(own[length:])
        begins = " ".join(mine[:length])
        if _form(subject) != _form(begins) or not (own[0].lower() == mine[0].lower() or own[0][0].isupper()):
            continue
        for start in range(length + 1, min(length + MOST_VERBS, len(mine) - 1) + 1):
            for end in range(min(len(mine), start + LONGEST), start, -1):
                if _form(" ".join(mine[start:end])) == _form(value) and _begin_alike(mine[start], own[length]):
                    text = " ".join([subject, *mine[length:start], value, *mine[end:]])
                    yield _Cut(begins, " ".join(mine[start:end]), Told(text, (subject, value)))


def _begin_alike(one: str, other: str) -> bool:
    """Whether both begin with a number, or with the same article."""
    return bool(one[0].isdigit() and other[0].isdigit()) or (is_closed(one.lower()) and one.lower() == other.lower())


def _told(stem: str, parts: Sequence[str]) -> Iterator[Told]:
    runs = [[run.text for run in _runs(part)] for part in parts]
    places = [at for at, texts in enumerate(zip(*runs, strict=True)) if len(set(texts)) > 1]
    for part, own in zip(parts, runs, strict=True):
        yield Told(f"{stem}{part}.", tuple(own[at] for at in places))


def _distinct(told: Sequence[Told]) -> Iterator[Told]:
    for one in told:
        yield Told(f"{one.text[:1].upper()}{one.text[1:]}.", one.values)


def _form(text: str) -> tuple[str, ...]:
    return tuple(run.kind for run in _runs(text))


def _runs(text: str) -> list[_Run]:
    return [_Run(kind, " ".join(group)) for kind, group in groupby(text.split(), key=_kind)]


def _kind(word: str) -> str:
    bare = in_digits(word.lower().strip(",;:()"))
    if _FIGURE.match(bare):
        return "number"
    return bare if is_closed(bare) and word != "A" else "word"
