"""What an answer states: a bare decision, or what fills an open place."""

import re

from veridic.text.facts import words
from veridic.text.kinds import AUXILIARY
from veridic.text.questions import keywords

_YES_NO = re.compile(rf"^\W*{AUXILIARY}\b", re.IGNORECASE)
BARE = 8
"""Words of a bare answer, at most."""
_DECISION = re.compile(r"^\W*(yes|no|maybe|perhaps)\W*$", re.IGNORECASE)


def bare_decision(text: str) -> str | None:
    """The yes, no, maybe or perhaps that is all a text says, lower-cased; None for any other text."""
    found = _DECISION.match(text)
    return found.group(1).lower() if found else None


def is_bare(text: str, question: str) -> bool:
    """Whether a text only fills the place that an open question leaves: few words, none of the question's."""
    said = words(text)
    open_question = bool(keywords(question)) and not _YES_NO.match(question) and "?" not in text
    return open_question and 0 < len(said) <= BARE and not set(keywords(question)) & set(said)


def stated_answer(question: str, answer: str) -> str:
    """What a bare answer says: it behind its question, as the critic learned to read it."""
    return f"{question.rstrip(' ?')}? {answer.rstrip(' .')}."
