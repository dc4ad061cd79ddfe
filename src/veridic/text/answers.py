"""Short answers cut into words as SQuAD cuts them (Rajpurkar et al. 2016)."""

import re
import string
from collections.abc import Sequence

from veridic.text.facts import in_digits

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_LETTER = re.compile(r"(?<=\w )A\b")
_PUNCTUATION = str.maketrans(dict.fromkeys(string.punctuation + "’‘“”–—", " "))


def tokens(text: str) -> list[str]:
    """SQuAD's normalisation: lower case, without punctuation and articles; a hyphen or dash parts words."""
    return _ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split()


def distinct_tokens(text: str) -> set[str]:
    """The tokens that tell one answer from another.

    Unlike SQuAD's they keep the letter of "vitamin A", and a number in words is the one in digits.
    """
    return {*map(in_digits, tokens(text)), *(found.group() for found in _LETTER.finditer(text))}


def holds_alias(text: str, accepted: Sequence[str]) -> bool:
    """Whether an accepted answer stands in the text as a run of whole tokens."""
    said = f" {' '.join(tokens(text))} "
    return any(f" {' '.join(wanted)} " in said for one in accepted if (wanted := tokens(one)))
