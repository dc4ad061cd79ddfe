"""Small changes that make a sentence false, or more than its source says.

Each rule takes a sentence, a random generator and other names to draw from, and returns the
changed sentence, or None where it does not apply.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from veridic_lab.training.tables import table
from veridic_lab.training.wording import Rng, names, pick, put

Rule = Callable[[str, Rng, Sequence[str]], str | None]

_NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\w,])|(?<![\w.,])\d+(?:\.\d+)?(?![\w])")
_YEAR = re.compile(r"\b1[0-9]{3}\b|\b20[0-9]{2}\b")
_MONTHS = "January February March April May June July August September October November December".split()
_WORDS = "two three four five six seven eight nine ten eleven twelve".split()
_VERB = re.compile(
    r"\b(is|are|was|were|can|could|will|would|has been|have been|had been|does|did|should|may|must)\b(?! not)"
)
_HEDGE = re.compile(
    r"\b(?:possibly |probably |perhaps |likely |reportedly |allegedly |usually |often |sometimes |generally |mostly "
    r"|approximately |nearly |almost |partly |(?:about|around|up to) (?=\d|half|several|hundreds|thousands|a hundred))"
)
_MAYBE = re.compile(r"\b(?:may|might|could) (?!(?:be|have|not)\b)(?=[a-z])")
_SAID_TO = re.compile(
    r"\b(is|was|are|were) (?:widely |often |generally )?"
    r"(?:believed|thought|said|considered|reported|alleged|expected|estimated|supposed|suspected) to (?:be|have been)\b"
)
_WORDS_OF = table(__package__, "opposites")
_OPPOSITE = {a: b for pair in _WORDS_OF["pairs"] for a, b in (pair, pair[::-1])}
_OPPOSITE_WORD = re.compile(r"\b(" + "|".join(sorted(_OPPOSITE, key=len, reverse=True)) + r")\b")
_QUANTIFIER = re.compile(r"\b(all|every|each|both|some|many|most|several|few|only|no|none of)\b", re.IGNORECASE)
_CERTAIN = _WORDS_OF["certain"]
_OTHER_QUANTIFIER = _WORDS_OF["quantifiers"]


def wrong_number(sentence: str, rng: Rng, _names: Sequence[str]) -> str | None:
    """A number that is no year becomes another."""
    found = [m for m in _NUMBER.finditer(sentence) if not _YEAR.fullmatch(m.group())]
    found += list(re.finditer(r"\b(" + "|".join(_WORDS) + r")\b", sentence))
    if not found:
        return None
    match = pick(rng, found)
    if match.group() in _WORDS:
        return put(sentence, match, pick(rng, [w for w in _WORDS if w != match.group()]))
    digits = list(match.group())
    places = [i for i, c in enumerate(digits) if c.isdigit()]
    place = pick(rng, places)
    lowest = 1 if place == 0 else 0
    digits[place] = pick(rng, [str(d) for d in range(lowest, 10) if str(d) != digits[place]])
    return put(sentence, match, "".join(digits))


def wrong_date(sentence: str, rng: Rng, _names: Sequence[str]) -> str | None:
    """A year or a month becomes another."""
    found = [*_YEAR.finditer(sentence), *re.finditer(r"\b(" + "|".join(_MONTHS) + r")\b(?= \d|, \d)", sentence)]
    if not found:
        return None
    match = pick(rng, found)
    if match.group() in _MONTHS:
        return put(sentence, match, pick(rng, [m for m in _MONTHS if m != match.group()]))
    step = int(pick(rng, (1, 2, 3, 5, 8, 10, 20, 30))) * int(pick(rng, (-1, 1)))
    return put(sentence, match, str(int(match.group()) + step))


def wrong_name(sentence: str, rng: Rng, others: Sequence[str]) -> str | None:
    """A name becomes one of the others."""
    found = names(sentence)
    options = [o for o in others if o not in sentence]
    if not found or not options:
        return None
    return put(sentence, pick(rng, found), pick(rng, options))


def swapped_roles(sentence: str, rng: Rng, _names: Sequence[str]) -> str | None:
    """Two names change places, unless they stand in one list."""
    found = names(sentence)
    pairs = [
        (a, b)
        for a, b in pairwise(found)
        if a.group() != b.group()
        and re.search(r"\b[a-z]{4,}\b", between := sentence[a.end() : b.start()])
        and not re.search(r"\b(and|or|with|near)\b", between)
    ]
    if not pairs:
        return None
    a, b = pick(rng, pairs)
    return sentence[: a.start()] + b.group() + sentence[a.end() : b.start()] + a.group() + sentence[b.end() :]


def negated(sentence: str, rng: Rng, _names: Sequence[str]) -> str | None:
    """A verb gains or loses its "not"."""
    denied = list(re.finditer(r"\b(is|are|was|were|can|could|will|would|does|did) not\b", sentence))
    if denied:
        match = pick(rng, denied)
        return put(sentence, match, match.group(1))
    found = list(_VERB.finditer(sentence))
    if not found:
        return None
    match = found[0] if rng.random() < 0.7 else pick(rng, found)
    verb, *rest = match.group().split()
    return put(sentence, match, " ".join([verb, pick(rng, ("not", "not", "never")), *rest]))


def other_quantifier(sentence: str, rng: Rng, _names: Sequence[str]) -> str | None:
    """How many it is said of changes."""
    found = list(_QUANTIFIER.finditer(sentence))
    if not found:
        return None
    match = pick(rng, found)
    new = pick(rng, _OTHER_QUANTIFIER[match.group().lower()])
    return put(sentence, match, new.capitalize() if match.group()[0].isupper() else new)


def opposite_word(sentence: str, rng: Rng, _names: Sequence[str]) -> str | None:
    """A word becomes its opposite, or a unit another."""
    found = list(_OPPOSITE_WORD.finditer(sentence))
    if not found:
        return None
    match = pick(rng, found)
    return put(sentence, match, _OPPOSITE[match.group()])


def more_certain(sentence: str, rng: Rng, _names: Sequence[str]) -> str | None:
    """A hedge is dropped."""
    for weak in sorted(_CERTAIN):
        if re.search(rf"\b{weak}\b", sentence):
            return re.sub(rf"\b{weak}\b", _CERTAIN[weak], sentence, count=1)
    if said := _SAID_TO.search(sentence):
        return put(sentence, said, said.group(1))
    if maybe := _MAYBE.search(sentence):
        return put(sentence, maybe, "will ")
    found = [m for m in _HEDGE.finditer(sentence) if m.start() > 0]
    return put(sentence, pick(rng, found), "") if found else None


CONTRADICTING: dict[str, Rule] = {
    "number": wrong_number,
    "date": wrong_date,
    "negation": negated,
    "opposite": opposite_word,
}
NOT_ENTAILED: dict[str, Rule] = {
    "name": wrong_name,
    "role": swapped_roles,
    "quantifier": other_quantifier,
    "certainty": more_certain,
}
UNASSERTED = "unasserted"
"""The family that changes the source and not the sentence: see `veridicality`."""
FAMILIES = frozenset((*CONTRADICTING, *NOT_ENTAILED, UNASSERTED))
