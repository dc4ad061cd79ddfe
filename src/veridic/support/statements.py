"""What an answer states: nothing but the question again, a bare decision, or what a yes or no question asked."""

import re

from veridic.support.inquiries import inquires, is_about_inquiry
from veridic.text.facts import words
from veridic.text.kinds import options_of
from veridic.text.questions import keywords
from veridic.text.sentences import sentences

_DETERMINERS = frozenset("a an the this that these those his her its their our my your all most some any no".split())
_YES_NO = re.compile(
    r"^\W*(is|are|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must)\b",
    re.IGNORECASE,
)
_OR = re.compile(r"\bor\b", re.IGNORECASE)
_CLOSING = " \n\"'”’)*_"
_DECISION = re.compile(r"^\W*(yes|no|maybe|perhaps)\W*$", re.IGNORECASE)


def echoes(question: str, answer: str) -> bool:
    """Whether an answer only asks back or repeats the question's words.

    A yes or no question may be repeated; there, what somebody wanted to find out is no answer. What names one of two
    that were asked about, or puts them in an order, tells something.
    """
    if answer.rstrip(_CLOSING).endswith("?"):
        return True
    if _YES_NO.match(question):
        return not is_about_inquiry(question) and all(inquires(place.text) for place in sentences(answer))
    if any(choice in answer.lower() for choice in map(str.lower, options_of(question))) and not _OR.search(answer):
        return False
    return bool(keywords(answer)) and set(keywords(answer)) <= set(words(question))


def bare_decision(text: str) -> str | None:
    """The yes, no, maybe or perhaps that is all a text says, lower-cased; None for any other text."""
    found = _DECISION.match(text)
    return found.group(1).lower() if found else None


def stated(question: str) -> str | None:
    """What a yes or no question asks about as a statement; None for other questions.

    "Was the Alder Bridge opened in 1932?" gives "The Alder Bridge was opened in 1932." Of a subject of several
    common nouns the verb may part the last ones; a form of `do` is left out.
    """
    if not (verb := _YES_NO.match(question)):
        return None
    rest = question[verb.end() :].strip(" ?\n").split()
    if not rest:
        return None
    place = 1 if rest[0].lower() not in _DETERMINERS else min(2, len(rest))
    while place < len(rest) and rest[place - 1][0].isupper() and rest[place][0].isupper():
        place += 1
    moved = [] if verb.group(1).lower() in ("do", "does", "did") else [verb.group(1).lower()]
    text = " ".join([*rest[:place], *moved, *rest[place:]])
    return f"{text[:1].upper()}{text[1:]}."


def stated_answer(question: str, answer: str) -> str:
    """What a bare answer says: it behind its question, as the critic learned to read it."""
    return f"{question.rstrip(' ?')}? {answer.rstrip(' .')}."
