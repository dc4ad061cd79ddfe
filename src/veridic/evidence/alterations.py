"""What was changed in a near copy, so that it says something else than its original.

A judge that reads meaning from the words as a whole overlooks a "not" that came, a "may" that
went, two names that changed places. Between a sentence and its near copy these can be read off.
"""

import re
from collections.abc import Iterator, Sequence, Set
from itertools import combinations
from typing import Literal

from veridic.evidence.copies import Change, NearCopy, lower, near_copies
from veridic.evidence.opposites import exclude_each_other
from veridic.evidence.veridicality import is_negated, is_qualified, suspends, vouches
from veridic.text.facts import bare, numbers

Alteration = Literal["negation", "certainty", "quantifier", "opposite", "value", "roles"]

STEM = 3
"""Letters that forms of one name share."""
_HEDGES = frozenset(
    "may might could possibly probably perhaps likely reportedly allegedly usually often sometimes generally mostly "
    "partly believed thought alleged reported estimated suspected supposed considered expected claimed".split()
)
_TRYING = frozenset(
    "failed fails fail tried tries try attempted attempts refused refuses declined wanted wants hoped hopes planned "
    "plans intended intends threatened unable promised".split()
)
_SUPPOSING = frozenset(("would", "should"))
_ALMOST = frozenset("almost nearly approximately roughly".split())
_ROUGHLY = _ALMOST | {"about", "around"}
_COUNTED = frozenset("a an one half several hundreds thousands millions hundred thousand".split())
_QUANTITIES = {
    word: rank
    for rank, words in enumerate(("none neither no", "some several few many", "most", "all every each both"))
    for word in words.split()
}
"""Quantifiers by how much they say; those that say as much may stand for each other."""
_BEING = frozenset("is are was were been being".split())
_JOINING = frozenset("and of de the".split())
_NAMES = (re.compile("A+"), re.compile("A+(?:j+A+)+"))
"""Names as runs of capitalised words, alone or joined: Clovis, Huntington Lake, Clovis and Huntington Lake."""


def alteration(sentence: str, evidence: str) -> Alteration | None:
    """What was changed, where the evidence has a near original of the sentence; None where one has nothing changed.

    A clause left out, a list or phrase in another order is no alteration, unless what was left out kept the
    source from vouching for the rest.
    """
    kinds = [_alteration(found) for found in near_copies(sentence, evidence)]
    return kinds[0] if kinds and None not in kinds else None


def is_denied(sentence: str, evidence: str) -> bool:
    """Whether the evidence has a near original of the sentence that leaves it no room to be true.

    A "not" is there more or less, or an opposite, another number or name stands in the place of its own.
    """
    return alteration(sentence, evidence) in ("negation", "opposite", "value")


def _alteration(found: NearCopy) -> Alteration | None:
    told = next((kind for change in found.changes if (kind := _told_otherwise(change))), None)
    if told is None and any(map(suspends, found.left_out)) and not is_qualified(found.added):
        return "certainty"
    if told is None and _roles_changed(found):
        return "roles"
    return told or ("value" if any(_value_changed(change, found) for change in found.changes) else None)


def _told_otherwise(change: Change) -> Alteration | None:
    if is_negated(change.old) != is_negated(change.new) and not vouches(change.old):
        return "negation"
    old, new = _quantities(change.old), _quantities(change.new)
    if old and new and old != new:
        return "quantifier"
    if _hedged(change) or _unrealised(change):
        return "certainty"
    if any(exclude_each_other(old, new) for old in change.old for new in change.new):
        return "opposite"
    return None


def _quantities(words: Sequence[str]) -> set[int]:
    return {_QUANTITIES[word] for word in words if word in _QUANTITIES}


def _hedged(change: Change) -> bool:
    """Whether the original is less sure here, or less exact about a number."""
    old, new = set(change.old), set(change.new)
    if old & _ROUGHLY or change.old == ("up", "to"):
        counted = change.following[:1].isdigit() or (not new and change.following in _COUNTED)
        return bool(counted or old & _ALMOST) and not new & _ROUGHLY
    return bool(old & _HEDGES) and not new & (_HEDGES | {"can", "say", "says", "said"})


def _unrealised(change: Change) -> bool:
    """Whether what was only tried or wanted, or would have been, is told as done: "failed to reach" as "reached"."""
    if "have" in change.old and _SUPPOSING & set(change.old):
        return not _SUPPOSING & set(change.new)
    return "to" in change.old and bool(_TRYING & set(change.old)) and not _TRYING & set(change.new)


def _value_changed(change: Change, found: NearCopy) -> bool:
    """Whether a number or name stands in another's place; names of both sentences are a matter of roles.

    What only moved there, as "in 1994" may to the end, stands in no other's place.
    """
    if change.new in found.left_out:
        return False
    old, new = numbers(" ".join(change.old)), numbers(" ".join(change.new))
    if old and new and not old & new:
        return True
    exchanged = change.new_names <= set(map(bare, found.original)) and change.old_names <= set(map(bare, found.copy))
    return _other_name(change.old_names, change.new_names) and not exchanged


def _other_name(old: Set[str], new: Set[str]) -> bool:
    """Whether names are neither forms nor initials of each other."""
    initials = {"".join(word[0] for word in sorted(name)) for name in (old, new) if len(name) > 1}
    forms = {name[:STEM] for name in old} & {name[:STEM] for name in new}
    short = {"".join(sorted(name)) for name in old | new} & initials
    return bool(old and new) and not forms and not short


def _roles_changed(found: NearCopy) -> bool:
    return (
        _voice_lost(found.changes)
        or any(_crossed(one, other, found.copy) for one in found.changes for other in found.changes)
        or (
            not _in_order(found.copy, found.original)
            and any(_in_order(exchanged, found.original) for exchanged in _exchanges(found.copy))
        )
    )


def _voice_lost(changes: Sequence[Change]) -> bool:
    """Whether "was made by" became "made"."""
    lost = [change.old for change in changes if not change.new]
    return any(len(words) <= 2 and _BEING & set(words) for words in lost) and ("by",) in lost


def _crossed(one: Change, other: Change, copy: Sequence[str]) -> bool:
    """Whether two differences are each other's reverse, and not neighbours in a list."""
    between = copy[one.place + len(one.new) : other.place]
    return bool(one.old and one.new) and one.old == other.new and one.new == other.old and _relates(between)


def _exchanges(copy: Sequence[str]) -> Iterator[list[str]]:
    """The copy with two names in each other's place, for every two that are no list."""
    kinds = "".join("A" if word[0].isupper() else "j" if word in _JOINING else "a" for word in copy)
    names = sorted(run.span() for pattern in _NAMES for run in pattern.finditer(kinds))
    for (a, b), (c, d) in combinations(names, 2):
        if b < c and _relates(copy[b:c]):
            yield [*copy[:a], *copy[c:d], *copy[b:c], *copy[a:b], *copy[d:]]


def _relates(between: Sequence[str]) -> bool:
    return any(word[0].islower() and word not in ("and", "or") for word in between)


def _in_order(words: Sequence[str], original: Sequence[str]) -> bool:
    """Whether all words stand in the original in this order, others between them or not."""
    rest = iter(lower(original))
    return all(word in rest for word in lower(words))
