"""Where a text answers a yes or no question outright, as a list of questions and answers does: "Yes, above £300."."""

from __future__ import annotations

import re
from typing import Literal

from veridic.text.facts import stem, words
from veridic.text.questions import keywords
from veridic.text.sentences import Span, asks, sentences

Decision = Literal["Yes", "No"]

_OUTRIGHT = re.compile(r"\W*(?P<said>yes|no)\b(?=\s*[,.!;:–—-]|\s*$)", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:not|never|no|cannot|without)\b|n['’]t\b", re.IGNORECASE)
SAME = 0.8
"""Share of the words that carry a question which the one that is answered has, with its answer."""


def outright(sentence: str) -> Decision | None:
    """The yes or no that a sentence begins with; None of any other, such as "No dogs are allowed."."""
    found = _OUTRIGHT.match(sentence)
    return None if found is None else "Yes" if found["said"].lower() == "yes" else "No"


def said_outright(question: str, heading: str, text: str) -> tuple[Decision, Span] | None:
    """What a text says outright to a question that it, or its heading, asks in about the same words, and where."""
    before = heading.rpartition(" > ")[2]
    for place in sentences(text):
        said = outright(place.text) if asks(before) else None
        if said and _is_asked(question, before, place.text):
            return said, place
        before = place.text
    return None


def opens_outright(heading: str, text: str) -> Decision | None:
    """The yes or no that a text begins with under a heading that asks, in whatever words."""
    first = next(iter(sentences(text)), None)
    return outright(first.text) if first and asks(heading.rpartition(" > ")[2]) else None


def _is_asked(question: str, asked: str, answer: str) -> bool:
    """Whether a question is the one asked: its words are there, those narrowing it in the answer, both negated or none.

    What is asked of food is not answered by what is said of all.
    """
    wanted = {stem(word) for word in keywords(question)}
    held = {stem(word) for part in (asked, answer) for word in words(part)}
    named = {stem(word) for word in keywords(asked)}
    alike = bool(wanted & named) and len(wanted & held) >= SAME * len(wanted)
    return alike and bool(_NEGATED.search(question)) == bool(_NEGATED.search(asked))
