"""What is said of an answer in one word: whether it was right. Words that mean that are no right answers. English."""

import re
from collections.abc import Mapping
from typing import Literal, get_args

from veridic.text.kinds import asks_yes_or_no, may_be_decided, options_of

Thumb = Literal["up", "down"]
THUMBS: tuple[Thumb, ...] = get_args(Thumb)

_MEANT: Mapping[Thumb, frozenset[str]] = {
    "up": frozenset(
        "good great fine perfect excellent ok okay right correct true yes yep yeah accurate helpful useful like agree "
        "+1 👍".split()
    )
    | {"thumbs up", "thumb up"},
    "down": frozenset(
        "bad poor terrible wrong incorrect false no nope inaccurate unhelpful useless dislike disagree -1 👎".split()
    )
    | {"thumbs down", "thumb down"},
}
_DECISIONS = ("yes", "no")
_AROUND = " .,;!\"'“”‘’`*"
_JOINED = re.compile(r"(?<=\w)[-_]+(?=\w)")


def thumb_meant(said: str, question: str) -> Thumb | None:
    """The thumb that a text is in another word, in another case or but for one slip; None where it is none.

    It is none where it answers the question: "no" where yes or no is asked for, and one of two things to choose from.
    """
    word = _JOINED.sub(" ", said.strip(_AROUND)).lower()
    if word in map(str.lower, options_of(question)):
        return None
    if word in _DECISIONS and (asks_yes_or_no(question) or may_be_decided(question)):
        return None
    return next((thumb for thumb in THUMBS if word in _MEANT[thumb]), None) or _mistyped(said.strip())


def _mistyped(word: str) -> Thumb | None:
    from rapidfuzz.distance import OSA

    return next((one for one in THUMBS if word.lower() == one or OSA.distance(word, one) <= 1), None)
