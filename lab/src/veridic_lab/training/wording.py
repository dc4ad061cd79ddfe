"""What is read in a sentence and put into it, and chance."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")
Rng = np.random.Generator

_NAME = re.compile(r"\b[A-Z][\w'’.-]*[\w](?:\s+(?:(?:of|de|the|von|van|and)\s+)?[A-Z][\w'’-]*\w)*")
_CAPITAL_WORDS = frozenset(
    "The A An In On At It He She They This That These Those His Her Its Their For From By As But And When While "
    "After Before Although However There With Since During If Some Many Most All To Of I We You Another Each Both "
    "One Two".split()
)
_VERB = re.compile(r" (?:is|was|has|had|became|began|won|led|wrote|\w+ed)\b")


def names(sentence: str) -> list[re.Match[str]]:
    """Capitalised names; one word that begins the sentence is taken for one only before a verb."""
    return [m for m in _NAME.finditer(sentence) if not _only_begins(m)]


def _only_begins(match: re.Match[str]) -> bool:
    first, *more = match.group().split()
    acts = _VERB.match(match.string, match.end()) or "'s" in first
    return first in _CAPITAL_WORDS or (match.start() == 0 and not more and not acts)


def inside(sentence: str) -> str | None:
    """A sentence as it stands within another; None for one that is quoted, asked or unfinished."""
    if not sentence.endswith(".") or any(mark in sentence for mark in '"“”?!:;'):
        return None
    first, _, rest = sentence.rstrip(".").partition(" ")
    return f"{first.lower() if first in _CAPITAL_WORDS - {'I'} else first} {rest}".strip()


def put(sentence: str, match: re.Match[str], new: str) -> str:
    """The sentence with another text in place of the match."""
    return sentence[: match.start()] + new + sentence[match.end() :]


def pick(rng: Rng, options: Sequence[T]) -> T:
    """One of the options, each as likely."""
    return options[int(rng.integers(len(options)))]


def seeded(seed: int) -> Rng:
    """A generator of its own."""
    return np.random.default_rng(seed)
