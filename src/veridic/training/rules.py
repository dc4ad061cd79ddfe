"""Small changes to a sentence whose effect on its truth is known.

Each rule takes a sentence, a random generator and other names to draw from, and returns the
changed sentence, or None where it does not apply.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeVar

import numpy as np

T = TypeVar("T")
Rng = np.random.Generator
Rule = Callable[[str, Rng, Sequence[str]], str | None]

_NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\w,])|(?<![\w.,])\d+(?:\.\d+)?(?![\w])")
_YEAR = re.compile(r"\b1[0-9]{3}\b|\b20[0-9]{2}\b")
_NAME = re.compile(r"\b[A-Z][\w'’.-]*[\w](?:\s+(?:(?:of|de|the|von|van|and)\s+)?[A-Z][\w'’-]*\w)*")
_MONTHS = "January February March April May June July August September October November December".split()
_WORDS = "two three four five six seven eight nine ten eleven twelve".split()
_VERB = re.compile(
    r"\b(is|are|was|were|can|could|will|would|has been|have been|had been|does|did|should|may|must)\b(?! not)"
)
_HEDGE = re.compile(
    r"\b(?:(may|might|could)(?= (?:be|have)\b)|possibly |probably |perhaps |likely |reportedly |allegedly |usually "
    r"|often |sometimes |generally |about |approximately |around |nearly |almost |up to )"
)
_CERTAIN = {
    "may be": "is",
    "might be": "is",
    "could be": "is",
    "may have": "has",
    "might have": "has",
    "could have": "has",
}
_SWAPS = (
    ("first", "last"), ("before", "after"), ("north", "south"), ("east", "west"), ("northern", "southern"),
    ("eastern", "western"), ("largest", "smallest"), ("more", "less"), ("most", "least"), ("increased", "decreased"),
    ("increase", "decrease"), ("won", "lost"), ("older", "younger"), ("above", "below"), ("higher", "lower"),
    ("highest", "lowest"), ("early", "late"), ("began", "ended"), ("opened", "closed"), ("male", "female"),
    ("father", "mother"), ("son", "daughter"), ("brother", "sister"), ("his", "her"), ("husband", "wife"),
    ("inside", "outside"), ("always", "never"), ("with", "without"), ("same", "different"), ("best", "worst"),
    ("positive", "negative"), ("public", "private"), ("major", "minor"), ("upper", "lower"), ("left", "right"),
    ("million", "billion"), ("kilometres", "miles"), ("km", "miles"), ("metres", "feet"), ("hours", "days"),
    ("minutes", "hours"), ("weeks", "months"), ("months", "years"), ("American", "British"), ("German", "French"),
    ("Italian", "Spanish"), ("won", "lost"), ("winning", "losing"), ("rejected", "accepted"), ("rose", "fell"),
    ("hot", "cold"), ("possible", "impossible"), ("legal", "illegal"), ("true", "false"), ("oldest", "youngest"),
)  # fmt: skip
_OPPOSITE = {a: b for pair in _SWAPS for a, b in (pair, pair[::-1])}
_OPPOSITE_WORD = re.compile(r"\b(" + "|".join(sorted(_OPPOSITE, key=len, reverse=True)) + r")\b")
_QUANTIFIER = re.compile(r"\b(all|every|each|both|some|many|most|several|few|only|no|none of)\b", re.IGNORECASE)
_OTHER_QUANTIFIER = {
    "all": ("no", "few"), "every": ("no",), "each": ("no",), "both": ("neither of the",), "some": ("all", "no"),
    "many": ("no", "few"), "most": ("all", "few"), "several": ("no", "all"), "few": ("many", "most"),
    "no": ("some", "many"), "none of": ("most of", "all of"), "only": ("not only",),
}  # fmt: skip
_CAPITAL_WORDS = frozenset(
    "The A An In On At It He She They This That These Those His Her Its Their For From By As But And When While "
    "After Before Although However There With Since During If Some Many Most All To Of I We You Another Each Both "
    "One Two".split()
)


def names(sentence: str) -> list[re.Match[str]]:
    """Capitalised names, without common words that merely start the sentence."""
    return [m for m in _NAME.finditer(sentence) if m.group().split()[0] not in _CAPITAL_WORDS]


def _put(sentence: str, match: re.Match[str], new: str) -> str:
    return sentence[: match.start()] + new + sentence[match.end() :]


def _pick(rng: Rng, options: Sequence[T]) -> T:
    return options[int(rng.integers(len(options)))]


def wrong_number(sentence: str, rng: Rng, _names: Sequence[str]) -> str | None:
    """A number that is no year becomes another."""
    found = [m for m in _NUMBER.finditer(sentence) if not _YEAR.fullmatch(m.group())]
    found += list(re.finditer(r"\b(" + "|".join(_WORDS) + r")\b", sentence))
    if not found:
        return None
    match = _pick(rng, found)
    if match.group() in _WORDS:
        return _put(sentence, match, _pick(rng, [w for w in _WORDS if w != match.group()]))
    digits = list(match.group())
    places = [i for i, c in enumerate(digits) if c.isdigit()]
    place = _pick(rng, places)
    lowest = 1 if place == 0 else 0
    digits[place] = _pick(rng, [str(d) for d in range(lowest, 10) if str(d) != digits[place]])
    return _put(sentence, match, "".join(digits))


def wrong_date(sentence: str, rng: Rng, _names: Sequence[str]) -> str | None:
    """A year or a month becomes another."""
    found = [*_YEAR.finditer(sentence), *re.finditer(r"\b(" + "|".join(_MONTHS) + r")\b(?= \d|, \d)", sentence)]
    if not found:
        return None
    match = _pick(rng, found)
    if match.group() in _MONTHS:
        return _put(sentence, match, _pick(rng, [m for m in _MONTHS if m != match.group()]))
    step = int(_pick(rng, (1, 2, 3, 5, 8, 10, 20, 30))) * int(_pick(rng, (-1, 1)))
    return _put(sentence, match, str(int(match.group()) + step))


def wrong_name(sentence: str, rng: Rng, others: Sequence[str]) -> str | None:
    """A name becomes one of the others."""
    found = names(sentence)
    options = [o for o in others if o not in sentence]
    if not found or not options:
        return None
    return _put(sentence, _pick(rng, found), _pick(rng, options))


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
    a, b = _pick(rng, pairs)
    return sentence[: a.start()] + b.group() + sentence[a.end() : b.start()] + a.group() + sentence[b.end() :]


def negated(sentence: str, rng: Rng, _names: Sequence[str]) -> str | None:
    """A verb gains or loses its "not"."""
    denied = list(re.finditer(r"\b(is|are|was|were|can|could|will|would|does|did) not\b", sentence))
    if denied:
        match = _pick(rng, denied)
        return _put(sentence, match, match.group(1))
    found = list(_VERB.finditer(sentence))
    if not found:
        return None
    match = found[0] if rng.random() < 0.7 else _pick(rng, found)
    verb, *rest = match.group().split()
    return _put(sentence, match, " ".join([verb, _pick(rng, ("not", "not", "never")), *rest]))


def other_quantifier(sentence: str, rng: Rng, _names: Sequence[str]) -> str | None:
    """How many it is said of changes."""
    found = list(_QUANTIFIER.finditer(sentence))
    if not found:
        return None
    match = _pick(rng, found)
    new = _pick(rng, _OTHER_QUANTIFIER[match.group().lower()])
    return _put(sentence, match, new.capitalize() if match.group()[0].isupper() else new)


def opposite_word(sentence: str, rng: Rng, _names: Sequence[str]) -> str | None:
    """A word becomes its opposite, or a unit another."""
    found = list(_OPPOSITE_WORD.finditer(sentence))
    if not found:
        return None
    match = _pick(rng, found)
    return _put(sentence, match, _OPPOSITE[match.group()])


def more_certain(sentence: str, rng: Rng, _names: Sequence[str]) -> str | None:
    """A hedge is dropped."""
    for weak in sorted(_CERTAIN):
        if re.search(rf"\b{weak}\b", sentence):
            return re.sub(rf"\b{weak}\b", _CERTAIN[weak], sentence, count=1)
    found = [m for m in _HEDGE.finditer(sentence) if m.group().endswith(" ") and m.start() > 0]
    return _put(sentence, _pick(rng, found), "") if found else None


def dropped_clause(sentence: str, rng: Rng, _names: Sequence[str]) -> str | None:
    """A bracket, an aside or a trailing clause is left out; what remains still follows."""
    options = [
        re.sub(r"\s*\([^()]*\)", "", sentence, count=1),
        re.sub(r", (?:which|who|where)\b[^,.;]*(?=[,.;])", "", sentence, count=1),
        re.sub(r"^(?:In|On|During|At|By|Since)\b[^,]{2,40}, (\w)", lambda m: m.group(1).upper(), sentence),
        re.sub(r"(?:;|, (?:and|but|while|although|where|which|after|making|including)\b)[^;]*\.$", ".", sentence),
    ]
    shorter = [o for o in options if o != sentence and len(o.split()) >= 4]
    return _pick(rng, shorter) if shorter else None


def resolved_pronoun(sentence: str, title: str) -> str | None:
    """The pronoun that starts the sentence becomes the title; it follows where the title is in the premise."""
    match = re.match(
        r"(?:He|She|It)(?= (?:is|was|has|had|won|became|played|served|wrote|also|did|can|lies|stars)\b)", sentence
    )
    name = re.sub(r"\s*\(.*\)$", "", title)
    return _put(sentence, match, name) if match and name else None


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
