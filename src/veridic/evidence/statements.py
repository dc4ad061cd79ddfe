"""What an answer states: nothing but the question or itself again, a bare decision, or what fills an open place."""

import re

from veridic.text.facts import words
from veridic.text.kinds import AUXILIARY, options_of
from veridic.text.questions import keywords

_YES_NO = re.compile(rf"^\W*{AUXILIARY}\b", re.IGNORECASE)
_OR = re.compile(r"\bor\b", re.IGNORECASE)
_CLOSING = " \n\"'”’)*_"
BARE = 8
"""Words of a bare answer, at most."""
_DECISION = re.compile(r"^\W*(yes|no|maybe|perhaps)\W*$", re.IGNORECASE)


def echoes(question: str, answer: str) -> bool:
    """Whether an answer only asks back or repeats the question's words.

    A yes or no question may be repeated. What names one of two that were asked about, or puts them in an order, tells
    something.
    """
    if answer.rstrip(_CLOSING).endswith("?"):
        return True
    if _YES_NO.match(question):
        return False
    if any(choice in answer.lower() for choice in map(str.lower, options_of(question))) and not _OR.search(answer):
        return False
    return bool(keywords(answer)) and set(keywords(answer)) <= set(words(question))


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
