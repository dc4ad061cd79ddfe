"""Short answers compared as SQuAD compares them: exact match and token F1 (Rajpurkar et al. 2016)."""

import re
import string
from collections import Counter
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


def exact_match(answer: str, accepted: Sequence[str]) -> float:
    """1.0 when the answer is one of the accepted ones after normalisation, else 0.0."""
    return float(any(tokens(answer) == tokens(one) for one in accepted))


def token_f1(answer: str, accepted: Sequence[str]) -> float:
    """SQuAD's token F1 with the nearest accepted answer, in [0, 1]."""
    return max((_f1(tokens(answer), tokens(one)) for one in accepted), default=0.0)


def harmonic(shared: float, given: float, wanted: float) -> float:
    """F1 of a number of shared things among those given and those wanted; 0.0 when nothing is shared."""
    return 2 * shared / (given + wanted) if shared else 0.0


def _f1(given: Sequence[str], wanted: Sequence[str]) -> float:
    return harmonic((Counter(given) & Counter(wanted)).total(), len(given), len(wanted))
