"""Near copies: a sentence that is almost one of its evidence, and what was changed in it.

A judge that reads meaning from the words as a whole overlooks a "not" that came, a "may" that
went, two names that changed places. Between a sentence and its near copy these can be read off.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import combinations
from typing import Literal

from veridic.text.facts import names, numbers
from veridic.text.sentences import sentences

Alteration = Literal["negation", "certainty", "quantifier", "roles"]

NEAR = 0.75
"""The share of a sentence's words that its original must have, in order."""
FRAGMENT = 4
"""Words that a sentence has at least; less says too little to be altered."""
SHORT = 3
"""Words of a difference that can be a mere change; longer ones are other content."""
_WORD = re.compile(r"[^\W_][\w'’-]*")
_NEGATIONS = frozenset("not never no none neither nor without cannot nobody nothing nowhere".split())
_HEDGES = frozenset(
    "may might could possibly probably perhaps likely reportedly allegedly usually often sometimes generally mostly "
    "partly believed thought alleged reported estimated suspected supposed considered expected claimed".split()
)
_ROUGHLY = frozenset("about around approximately nearly almost roughly".split())
_QUANTIFIERS = frozenset("all every each both some many most several few none neither no any".split())
_BEING = frozenset("is are was were been being".split())


@dataclass(frozen=True)
class _Change:
    """What stood in the original and what stands in the copy, a few words each, and the word after."""

    as_read: tuple[str, ...]
    as_written: tuple[str, ...]
    following: str
    place: int
    """Where in the copy it begins."""

    @property
    def old(self) -> tuple[str, ...]:
        """What stood in the original, in lower case."""
        return _lower(self.as_read)

    @property
    def new(self) -> tuple[str, ...]:
        """What stands in the copy, in lower case."""
        return _lower(self.as_written)


def alteration(sentence: str, evidence: str) -> Alteration | None:
    """What was changed, where the evidence has a near original of the sentence; None where it has none.

    A clause left out, a list or phrase in another order is no alteration.
    """
    copy = _WORD.findall(sentence)
    found = _original(copy, evidence)
    if found is None:
        return None
    original, matched = found
    changes = list(_changes(original, copy, matched))
    told = next((kind for change in changes if (kind := _told_otherwise(change))), None)
    return told or ("roles" if _roles_changed(original, copy, changes) else None)


def is_denied(sentence: str, evidence: str) -> bool:
    """Whether the evidence has a near original of the sentence that leaves it no room to be true.

    A "not" is there more or less, or another number or name stands in the place of its own.
    """
    copy = _WORD.findall(sentence)
    found = _original(copy, evidence)
    changes = _changes(found[0], copy, found[1], begun=True) if found else ()
    return any(_told_otherwise(one) == "negation" or _is_rival(one) for one in changes)


def _original(copy: Sequence[str], evidence: str) -> tuple[list[str], SequenceMatcher[str]] | None:
    """The sentence of the evidence that is nearest to a copy, in words, and what they share; None when none is near."""
    originals = [_WORD.findall(original.text) for original in sentences(evidence)]
    matched = [_blocks(original, copy) for original in originals]
    nearest = max(range(len(originals)), key=lambda place: _shared(matched[place]), default=None)
    if nearest is None or len(copy) < FRAGMENT or _shared(matched[nearest]) < NEAR * len(copy):
        return None
    return originals[nearest], matched[nearest]


def _is_rival(change: _Change) -> bool:
    """Whether a number took the place of another, or a name that of one that is not its short form."""
    if _rivals(*(numbers(" ".join(said)) for said in (change.as_read, change.as_written))):
        return True
    old, new = (names(f"x {' '.join(said)}") for said in (change.as_read, change.as_written))
    return _rivals(old, new) and not _abbreviates(change.old, change.new) and not _abbreviates(change.new, change.old)


def _rivals(old: set[str], new: set[str]) -> bool:
    return bool(old and new) and not old & new


def _abbreviates(short: Sequence[str], long: Sequence[str]) -> bool:
    """Whether one word has the initials of several: US for United States."""
    return len(short) == 1 and "".join(short[0].split(".")) == "".join(word[0] for word in long)


def _blocks(original: Sequence[str], copy: Sequence[str]) -> SequenceMatcher[str]:
    return SequenceMatcher(None, [w.lower() for w in original], [w.lower() for w in copy], autojunk=False)


def _shared(matcher: SequenceMatcher[str]) -> int:
    return sum(block.size for block in matcher.get_matching_blocks())


def _changes(
    original: Sequence[str], copy: Sequence[str], matcher: SequenceMatcher[str], *, begun: bool = False
) -> Iterator[_Change]:
    """The short differences; longer ones are clauses that one of the two has more.

    With `begun` the first words of a longer piece of the original count as standing there.
    """
    for kind, a, end, c, d in matcher.get_opcodes():
        b = min(end, a + SHORT) if begun and kind == "replace" else end
        if kind != "equal" and b - a <= SHORT and d - c <= SHORT:
            following = original[b].lower() if b < len(original) else ""
            yield _Change(tuple(original[a:b]), tuple(copy[c:d]), following, c)


def _told_otherwise(change: _Change) -> Alteration | None:
    if _negated(change.old) != _negated(change.new):
        return "negation"
    if _quantity(change.old) and _quantity(change.new) and change.old != change.new:
        return "quantifier"
    if _hedged(change) and not _HEDGES & set(change.new):
        return "certainty"
    return None


def _negated(words: Sequence[str]) -> bool:
    return sum(word in _NEGATIONS or word.endswith(("n't", "n’t")) for word in words) % 2 == 1


def _quantity(words: Sequence[str]) -> bool:
    return bool(_QUANTIFIERS & set(words))


def _hedged(change: _Change) -> bool:
    """Whether the original is less sure here, or less exact about a number."""
    if _ROUGHLY & set(change.old) or change.old == ("up", "to"):
        return change.following[:1].isdigit() and not _ROUGHLY & set(change.new)
    return bool(_HEDGES & set(change.old))


def _roles_changed(original: Sequence[str], copy: Sequence[str], changes: Sequence[_Change]) -> bool:
    return (
        _voice_lost(changes)
        or any(_crossed(one, other, copy) for one in changes for other in changes)
        or (not _within(copy, original) and any(_within(exchanged, original) for exchanged in _exchanges(copy)))
    )


def _voice_lost(changes: Sequence[_Change]) -> bool:
    """Whether "was made by" became "made"."""
    lost = [change.old for change in changes if not change.new]
    return any(len(words) <= 2 and _BEING & set(words) for words in lost) and ("by",) in lost


def _crossed(one: _Change, other: _Change, copy: Sequence[str]) -> bool:
    """Whether two differences are each other's reverse, and not neighbours in a list."""
    between = copy[one.place + len(one.new) : other.place]
    return bool(one.old and one.new) and one.old == other.new and one.new == other.old and _relates(between)


def _exchanges(copy: Sequence[str]) -> Iterator[list[str]]:
    """The copy with two names in each other's place, for every two that are no list."""
    names = [
        (run.start(), run.end()) for run in re.finditer("A+", "".join("A" if w[0].isupper() else "a" for w in copy))
    ]
    for (a, b), (c, d) in combinations(names, 2):
        if _relates(copy[b:c]):
            yield [*copy[:a], *copy[c:d], *copy[b:c], *copy[a:b], *copy[d:]]


def _relates(between: Sequence[str]) -> bool:
    return any(word[0].islower() and word not in ("and", "or") for word in between)


def _within(words: Sequence[str], original: Sequence[str]) -> bool:
    return f" {' '.join(_lower(words))} " in f" {' '.join(_lower(original))} "


def _lower(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word.lower() for word in words)
