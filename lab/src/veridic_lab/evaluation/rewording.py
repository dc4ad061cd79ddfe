"""The same question in other words, by rule: what a person might ask who asks it again.

Only the words around what is asked change: question words for others of the same meaning, a request in front, a year
moved to the front, the question mark. Every name, number and word that carries the question stays, and so does the
kind of answer: it is the same question by construction, and has the same answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from veridic.text.facts import entities
from veridic.text.kinds import answer_kind, asks_yes_or_no
from veridic.text.questions import keeps_entities

_BE = r"(?:is|are|was|were)"
_HELPING = rf"(?:{_BE}|do|does|did|has|have|had|can|could|will|would)"
_OPENS = re.compile(
    rf"^(?:(?:in|on|at|by|for|from|to|with) )?(?:who|whom|whose|what|which|when|where|why|how|{_HELPING})\b", re.I
)
_FOUNDING = r"(?:founded|established|formed|created|built|completed|published|released|introduced|invented|born)"
_WORDS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.I), put)
    for pattern, put in (
        (rf"^when (?=(?:was|were)\b.*\b{_FOUNDING}\b)", "In which year "),
        (rf"^where (?={_HELPING}\b)(?!.*\b(?:from|to|at|in|of)\W*$)", "In which place "),
        (rf"^why (?={_HELPING}\b)", "For what reason "),
        (rf"^how (?={_HELPING}\b)", "In what way "),
        (r"^how many (?=\w)", "What number of "),
        (rf"^what (?!{_HELPING}\b|if\b|about\b)(?=[a-z]+ {_HELPING}\b)", "Which "),
        (rf"^which (?!{_HELPING}\b|one\b)(?=[a-z]+ {_HELPING}\b)", "What "),
        (r"^(in|on|at|from|for|to) what (?=\w)", r"\1 which "),
        (r"^(in|on|at|from|for|to) which (?=\w)", r"\1 what "),
        (r"^what is (?=the )", "What's "),
        (r"^what['’]s (?=the )", "What is "),
    )
)
_NAMED = re.compile(
    rf"^(?P<asks>when|where|why|how) (?P<verb>{_BE}) (?P<who>(?:the )?(?:[A-Z][\w'’.-]*)(?: [A-Z][\w'’.-]*)*) "
    r"(?P<rest>[a-z][^,;:]*)$"
)
"""What stands before the verb is a name alone, so that name and verb can change places."""
_SUBJECT = re.compile(rf"^(?:who (?!{_HELPING}\b)|(?:what|which) (?!.*\b{_HELPING}\b))", re.I)
"""What is asked for is the subject, so that the order of words stays under a request."""
_YEAR = re.compile(r"^(?P<rest>\w+ (?!.*\b(?:that|which|whose|who|where|when|and|or)\b)[^,;:]+?) in (?P<year>\d{4})$")
"""The year is that of the one thing that is asked about."""
_BEFORE = ("Please tell me: ", "I would like to know: ", "Could you tell me: ")
_ASKING = ("Tell me ", "Could you tell me ", "Please tell me ")


def reworded(question: str, seed: int) -> str | None:
    """The question in other words, the same for the same seed; None where it asks in no form that is known."""
    bare = question.strip().rstrip(" ?")
    if not _OPENS.match(bare) or re.search(r"[.?!]\s", bare):
        return None
    ways = [way for way in _ways(bare) if _same(question, way)]
    return Random(f"{seed} {question}").choice(ways) if ways else None  # noqa: S311 - nothing is kept secret with it


def _ways(bare: str) -> Iterator[str]:
    """Questions in other words; at least a request in front."""
    moved = [*_with_other_words(bare), *_with_the_year_first(bare)]
    for way in moved:
        yield f"{way}?"
        yield way
    yield from _requests(bare)
    for way in moved:
        yield f"{_BEFORE[0]}{_small(way)}?"


def _with_other_words(bare: str) -> Iterator[str]:
    for pattern, put in _WORDS:
        if pattern.match(bare):
            yield _capital(pattern.sub(put, bare, count=1))


def _with_the_year_first(bare: str) -> Iterator[str]:
    if found := _YEAR.match(bare):
        yield f"In {found['year']}, {_small(found['rest'])}"


def _requests(bare: str) -> Iterator[str]:
    if found := _NAMED.match(_small(bare)):
        yield from (f"{way}{found['asks']} {found['who']} {found['verb']} {found['rest']}." for way in _ASKING)
    elif _SUBJECT.match(bare):
        yield from (f"{way}{_small(bare)}." for way in _ASKING)
    else:
        yield from (f"{way}{_small(bare)}?" for way in _BEFORE)


def _same(question: str, way: str) -> bool:
    """Whether it keeps what no rewording may change: names, numbers, the kind of answer."""
    held = keeps_entities(question, way) and entities(way) <= entities(question)
    return held and answer_kind(way) == answer_kind(question) and asks_yes_or_no(way) == asks_yes_or_no(question)


def _small(text: str) -> str:
    return f"{text[:1].lower()}{text[1:]}"


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
