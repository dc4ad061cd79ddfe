"""The same question in other words, by rule: names, numbers and the kind of answer stay."""

from __future__ import annotations

import re
from random import Random

from veridic.text.kinds import answer_kind
from veridic.text.questions import keeps_entities

_WORDS = (
    (r"^how many (?=\w)", "What number of "),
    (r"^what (?=[a-z]+ (?:is|are|was|were|did|does|has|have)\b)", "Which "),
    (r"^which (?=[a-z]+ (?:is|are|was|were|did|does|has|have)\b)", "What "),
    (r"^why (?=is|are|was|were|do|does|did)", "For what reason "),
)
_BEFORE = ("Please tell me: ", "I would like to know: ", "Could you tell me: ")


def reworded(question: str, seed: int) -> str | None:
    """The question in other words, the same for the same seed; None where no rule fits."""
    bare = question.strip().rstrip(" ?")
    asked = [
        re.sub(pattern, put, bare, count=1, flags=re.I) for pattern, put in _WORDS if re.match(pattern, bare, re.I)
    ]
    ways = [*(f"{one}?" for one in asked), *(f"{front}{bare[:1].lower()}{bare[1:]}?" for front in _BEFORE)]
    same = [one for one in ways if keeps_entities(question, one) and answer_kind(one) == answer_kind(question)]
    return Random(f"{seed} {question}").choice(same) if same else None  # noqa: S311 - nothing is kept secret with it
