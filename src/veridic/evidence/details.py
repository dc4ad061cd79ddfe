"""The numbers and names of a sentence that its evidence lacks."""

import re

from veridic.text.facts import LETTERS, bare_words, digits, names, numbers

_LISTED = re.compile(r"^\s*\d{1,2}[.)]\s", re.MULTILINE)


def missing_numbers(sentence: str, evidence: str) -> set[str]:
    """The numbers written in digits in a sentence that its evidence does not hold in any form.

    The numbering of a list is none, and a word may hold one: FGF21.
    """
    said = digits(_LISTED.sub("", sentence))
    return said - numbers(evidence) - digits(LETTERS.sub(" ", evidence)) if said else said


def missing_names(sentence: str, evidence: str) -> set[str]:
    """The names of a sentence that its evidence does not hold, as words; of a compound one part is enough."""
    held = {part for word in bare_words(evidence) for part in (word, *word.split("-"))}
    return {name for name in names(sentence) if not held & {name, *name.split("-")}}
