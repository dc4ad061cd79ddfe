"""The numbers and names of a sentence that its evidence lacks, whatever form they have there."""

import re
from collections.abc import Iterator
from itertools import takewhile

from veridic.text.facts import LETTERS, bare, bare_words, digits, names, numbers
from veridic.text.stop_words import STOP_WORDS

_RUN = re.compile(r"[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)+")
_ABBREVIATION = re.compile(r"\b(?:[A-Z]\.?){2,}(?![\w])")
_LISTED = re.compile(r"^\s*\d{1,2}[.)]\s", re.MULTILINE)
_FORMS = frozenset("s es n ns an ans vian ian ians ish ese ic i er ers man men ism ist ists ity".split())
"""Endings of plurals, peoples, adjectives and creeds."""
_PLACES = frozenset(("a", "ia", "e", "y", "ey", "en", "any", "land"))
"""Endings of places that their people go without."""
SHORTEST_STEM = 3


def missing_numbers(sentence: str, evidence: str) -> set[str]:
    """The numbers written in digits in a sentence that its evidence does not hold in any form.

    The numbering of a list is none, and a word may hold one: FGF21.
    """
    said = digits(_LISTED.sub("", sentence))
    return said - numbers(evidence) - digits(LETTERS.sub(" ", evidence)) if said else said


def missing_names(sentence: str, evidence: str) -> set[str]:
    """The names of a sentence that its evidence does not hold, as words."""
    held = {part for word in bare_words(evidence) for part in (word, *word.split("-"))}
    missing = {name for name in names(sentence) if name not in held and not _held_in_part(name, held)}
    return missing - _abbreviated(sentence, evidence) if missing else missing


def _abbreviated(sentence: str, evidence: str) -> set[str]:
    """The names of a sentence for which the evidence has initials, or of whose initials it has the names.

    One letter may follow: USA for United States.
    """
    spelt = {bare(word) for run, short in _initialled(sentence, evidence) for word in run.split()}
    return spelt | {bare(short) for run, short in _initialled(evidence, sentence)}


def _initialled(spelt: str, short: str) -> Iterator[tuple[str, str]]:
    """The runs of names in one text with their initials in the other."""
    letters = {found.replace(".", "") for found in _ABBREVIATION.findall(short)}
    for run in _RUN.findall(spelt):
        initials = "".join(word[0] for word in run.split() if word.lower() not in STOP_WORDS)
        yield from (
            (run, one) for one in letters if initials[1:] and one.startswith(initials) and len(one) <= len(initials) + 1
        )


def _held_in_part(name: str, held: set[str]) -> bool:
    """Plurals, adjectives and compounds: Swedish for Sweden, Franco-German for German; not Austria for Australia."""
    return any(_forms_of_one(name, word) for word in held) or any(
        part in held for part in name.split("-") if part != name
    )


def _forms_of_one(one: str, other: str) -> bool:
    """Whether two names share a stem and end as a place and its people do."""
    stem = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    endings = {one[stem:], other[stem:]}
    if stem < SHORTEST_STEM or not (endings & _FORMS or endings == {"", "y"}):
        return False
    return endings <= _FORMS | {""} or (stem > SHORTEST_STEM and bool(endings & _PLACES))
