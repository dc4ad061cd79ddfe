"""What is said of an answer in one word: whether it was right. Words that mean that are no right answers. English."""

import re
from collections.abc import Mapping
from typing import Literal, get_args

from veridic.text.kinds import answer_kind

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
_AROUND = " .,;!\"'“”‘’`*"
_JOINED = re.compile(r"(?<=\w)[-_]+(?=\w)")


def thumb_meant(said: str, question: str) -> Thumb | None:
    """The thumb that a text is in another word, in another case or but for one slip; None where it is none.

    Where yes or no is asked for, or one of two things, any other word may be the answer.
    """
    word = _JOINED.sub(" ", said.strip(_AROUND)).lower()
    decides = answer_kind(question) in ("yes-no", "which of two")
    meant = None if decides else next((thumb for thumb in THUMBS if word in _MEANT[thumb]), None)
    return meant or _mistyped(said.strip())


def _mistyped(word: str) -> Thumb | None:
    from rapidfuzz.distance import OSA

    return next((one for one in THUMBS if word.lower() == one or OSA.distance(word, one) <= 1), None)
