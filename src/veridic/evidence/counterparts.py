"""What a claim would say with the evidence's number in the place of its own.

Of two numbers in one place at most one is true: evidence that entails "backups are kept for 35 days" contradicts "for
90 days". A small critic is surer of the first than of the second.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from veridic.evidence.details import missing_names
from veridic.evidence.namesakes import is_of_another_name
from veridic.text.facts import counted, numbers, words
from veridic.text.questions import keywords

SHARED = 6
"""Letters that forms of one word share, at least."""

BEFORE = 3
"""Words before a number among which those stand that make it a bound."""
_BOUNDING = frozenset(
    "more less fewer over under above below beyond least most up about around roughly almost nearly approximately than "
    "within between exceed exceeds exceeding only before after until since by".split()
)
_FOLLOWING = re.compile(r"[ \xa0]([^\W\d_]+)|[^\W\d_]+")
_BEHIND = frozenset("a an the this that its his her their our your of in on at by for from with without".split())
"""Words behind which a thing is named, as at the beginning of a sentence."""


def counterparts(claim: str, evidence: str) -> list[str]:
    """The claim with a number that the evidence lacks replaced by each of the evidence's that may stand in its place.

    That is one of the same kind and as exact: "more than 20" has a counterpart in "more than 30" alone.
    None where the evidence does not name a thing that the claim names: it speaks of something else.
    """
    replaced = list(dict.fromkeys(_replaced(claim, evidence)))
    return [] if replaced and (missing_names(claim, evidence) or _is_of_another(claim, evidence)) else replaced


def speaks_of(claim: str, sentence: str) -> bool:
    """Whether a sentence has at least half of the words that carry a claim, besides its numbers.

    A heading names the thing of many a sentence, and makes none speak of what the claim says of it.
    """
    held = set(words(sentence))
    carrying = [word for word in keywords(claim) if not word[0].isdigit()]
    return 2 * sum(_is_held(word, held) for word in carrying) >= len(carrying)


def _replaced(claim: str, evidence: str) -> Iterator[str]:
    for own in counted(claim):
        if numbers(own.group()) & numbers(evidence):
            continue
        for other in counted(evidence):
            if _is_of_a_kind(claim, own, evidence, other) and _bounds(evidence, other) == _bounds(claim, own):
                yield claim[: own.start()] + other.group() + claim[own.end() :]


def _is_of_a_kind(claim: str, own: re.Match[str], evidence: str, other: re.Match[str]) -> bool:
    """Whether two numbers have one unit, or none and stand behind the same word; what a field "is" may have any."""
    unit, other_unit = _unit(claim, own), _unit(evidence, other)
    before, other_before = (words(text[: at.start()])[-1:] for text, at in ((claim, own), (evidence, other)))
    if other_unit:
        return unit == other_unit
    return other_before == ["is"] or (not unit and before == other_before)


def _unit(text: str, number: re.Match[str]) -> str:
    """The word that follows a number, without its plural; empty where none does."""
    following = _FOLLOWING.match(text, number.end())
    return following.group().strip().lower().rstrip("s") if following else ""


def _bounds(text: str, number: re.Match[str]) -> set[str]:
    return set(words(text[: number.start()])[-BEFORE:]) & _BOUNDING


def _is_of_another(claim: str, evidence: str) -> bool:
    """Whether the claim names a thing that the evidence does not: "of the mail server", "the printer".

    So does one whose name the evidence only has as a part of another.
    """
    if is_of_another_name(claim, evidence):
        return True
    carrying, held = set(keywords(claim)), set(words(evidence))
    return any(
        word in carrying and (not before or before in _BEHIND) and not word[0].isdigit() and not _is_held(word, held)
        for before, word in pairwise(["", *words(claim)])
    )


def _is_held(word: str, held: set[str]) -> bool:
    """Whether a text has a word in any of its forms."""
    bare = word.rstrip("s")
    return any(bare == other.rstrip("s") or (word[:SHARED] == other[:SHARED] and len(word) >= SHARED) for other in held)
