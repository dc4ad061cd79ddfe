"""Whom "he" or "she" means: the one person that the sentence before names."""

from __future__ import annotations

import re

from veridic.text.questions import proper_names
from veridic.text.sentences import Span, sentences

PRONOUNS = frozenset(
    "he she it they him her them his hers its their theirs this that these those we us i me you".split()
)
"""By themselves they answer nothing."""
_NOBODY = frozenset(
    ("whoever", "someone", "somebody", "the person", "person", "persons", "the people", "people", "those who")
)
"""Nor do these: whoever asks for somebody is not told whom."""
_PERSONAL = frozenset(("he", "she"))
_JOINED = re.compile(r"\b(?:in|of|and|at|for)\b")


def is_pronoun(said: str) -> bool:
    """Whether an answer is a pronoun, or as empty as one, and nothing else."""
    return said.strip(" .,;:").lower() in PRONOUNS | _NOBODY


def person_before(text: str, at: int) -> Span | None:
    """The person whom the pronoun at an offset means; None where the sentence before names none, or several.

    A person has at least two words of a name, which nothing joins.
    """
    before = [one for one in sentences(text) if one.end <= at]
    if not before or text[at:].split()[0].lower() not in _PERSONAL:
        return None
    said = before[-1]
    persons = [name for name in proper_names(said.text) if len(name.split()) > 1 and not _JOINED.search(name)]
    if len(persons) != 1:
        return None
    start = said.start + said.text.index(persons[0])
    return Span(persons[0], start, start + len(persons[0]))
