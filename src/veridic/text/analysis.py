"""What a question asks for and what has to be read for it, by its form; for how it is looked up."""

import re
from typing import Literal

from veridic.text.dates import YEAR
from veridic.text.kinds import answer_kind, asks_several
from veridic.text.links import link_of
from veridic.text.questions import is_time_sensitive
from veridic.text.summaries import subject_of_request, to_summarise

QuestionKind = Literal["factoid", "yes/no", "comparison", "procedure", "list", "summary", "explanation"]
TimeAsked = Literal["any", "recent", "dated"]

_COMPARES = re.compile(
    r"\b(?:compare[sd]?|contrast|differs?|differences? (?:between|in|of)|versus|vs)\b", re.IGNORECASE
)
_ASKER = r"(?:i|we|you|one|somebody|someone|people)"
_PROCEDURE = re.compile(
    rf"\bhow (?:to|(?:do|does|did|can|could|should|would|must|may) {_ASKER})\b|"
    rf"\b(?:steps|procedure|process|instructions) (?:to|for|of)\b|"
    rf"\bwhat (?:do|must|should) {_ASKER} (?:have to )?do\b",
    re.IGNORECASE,
)
MOST_LINKS = 4
"""Descriptions within descriptions that are followed at most."""
STAND_IN = "X"
"""What a description is taken to mean, to see what is asked then."""


def question_kind(question: str) -> QuestionKind:
    """What is asked for; `factoid` where no other form fits."""
    if to_summarise(question) or subject_of_request(question):
        return "summary"
    answer = answer_kind(question)
    if answer == "yes-no":
        return "yes/no"
    if answer == "which of two" or _COMPARES.search(question):
        return "comparison"
    if _PROCEDURE.search(question):
        return "procedure"
    if asks_several(question):
        return "list"
    return "explanation" if answer == "why-how" else "factoid"


def years_in(question: str) -> list[str]:
    """The years that a question names, each once, in order."""
    return list(dict.fromkeys(YEAR.findall(question)))


def time_asked(question: str) -> TimeAsked:
    """`recent` where the answer may change by the day, `dated` where a year is named, else `any`."""
    if is_time_sensitive(question):
        return "recent"
    return "dated" if years_in(question) else "any"


def hops_of(question: str) -> int:
    """Readings in a row that one question takes: one more for each description in it."""
    readings, asked = 1, question
    for _ in range(MOST_LINKS):
        if not (link := link_of(asked)):
            break
        readings, asked = readings + 1, link.second(STAND_IN)
    return readings
