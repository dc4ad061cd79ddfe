"""Near copies: a sentence that is almost one of its evidence, and where the two differ."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from veridic.text.facts import bare
from veridic.text.sentences import sentences
from veridic.text.stop_words import STOP_WORDS

NEAR = 0.75
"""The share of a sentence's words that its original must have, in order."""
REORDERED = (0.9, 0.5)
"""Or the shares it must have in any order, and in order."""
FRAGMENT = 4
"""Words that a sentence has at least; less says too little to be a copy."""
SHORT = 3
"""Words of a difference that can be a mere change; longer ones are other content."""
_WORD = re.compile(r"[^\W_][\w'’-]*")


@dataclass(frozen=True)
class Change:
    """What stood in the original and what stands in the copy, a few lower-cased words each, and the word after."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    following: str
    place: int
    """Where in the copy it begins, in words."""
    old_names: frozenset[str]
    new_names: frozenset[str]


@dataclass(frozen=True)
class NearCopy:
    """The words of both sentences, the short differences, and all that the copy left out and added, lower-cased."""

    original: list[str]
    copy: list[str]
    changes: tuple[Change, ...]
    left_out: tuple[tuple[str, ...], ...]
    added: tuple[str, ...]


def near_copies(sentence: str, evidence: str) -> list[NearCopy]:
    """A sentence beside the sentence of the evidence it nearly is, beside each where several are as near."""
    copy = _WORD.findall(sentence)
    if len(copy) < FRAGMENT:
        return []
    everything = (_WORD.findall(original.text) for original in sentences(evidence))
    originals = [original for original in everything if _held(original, copy) >= NEAR * len(copy)]
    matched = [_matched(original, copy) for original in originals]
    most = max(map(_shared, matched), default=0)
    return [
        _beside(original, copy, matcher)
        for original, matcher in zip(originals, matched, strict=True)
        if _shared(matcher) == most and _is_near(original, copy, most)
    ]


def _beside(original: list[str], copy: list[str], matcher: SequenceMatcher[str]) -> NearCopy:
    runs = [(lower(original[a:b]), lower(copy[c:d])) for kind, a, b, c, d in matcher.get_opcodes() if kind != "equal"]
    left_out = tuple(old for old, _ in runs if old)
    added = tuple(word for _, new in runs for word in new)
    return NearCopy(original, copy, tuple(_changes(original, copy, matcher)), left_out, added)


def lower(words: Sequence[str]) -> tuple[str, ...]:
    """The words, lower-cased."""
    return tuple(word.lower() for word in words)


def _matched(original: Sequence[str], copy: Sequence[str]) -> SequenceMatcher[str]:
    return SequenceMatcher(None, lower(original), lower(copy), autojunk=False)


def _shared(matcher: SequenceMatcher[str]) -> int:
    return sum(block.size for block in matcher.get_matching_blocks())


def _held(original: Sequence[str], copy: Sequence[str]) -> int:
    """How many of the copy's words the original has, in any order: never fewer than in order, and soon counted."""
    return (Counter(lower(original)) & Counter(lower(copy))).total()


def _is_near(original: Sequence[str], copy: Sequence[str], shared: int) -> bool:
    if shared >= NEAR * len(copy):
        return True
    return _held(original, copy) >= REORDERED[0] * len(copy) and shared >= REORDERED[1] * len(copy)


def _changes(original: Sequence[str], copy: Sequence[str], matcher: SequenceMatcher[str]) -> Iterator[Change]:
    """The short differences; longer ones are clauses that one of the two has more.

    Where a change and a clause left out meet, as many words of the original count as stand in their place.
    """
    for kind, a, end, c, d in matcher.get_opcodes():
        b = end if end - a <= SHORT else a + d - c
        if kind != "equal" and b - a + d - c > 0 and b - a <= SHORT and d - c <= SHORT:
            following = original[b].lower() if b < len(original) else ""
            old, new = lower(original[a:b]), lower(copy[c:d])
            yield Change(old, new, following, c, _names(original, a, b), _names(copy, c, d))


def _names(words: Sequence[str], start: int, end: int) -> frozenset[str]:
    """The capitalised words between two places, lower-cased."""
    found = (word for word in words[start:end] if word[0].isupper())
    return frozenset(bare(word) for word in found) - STOP_WORDS
