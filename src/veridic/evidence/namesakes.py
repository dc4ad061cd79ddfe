"""Things that share a part of their name: Level 1 and Level 2, the PX-300 and the PX-300 Pro, the B2 and the B2X.

What is said of one answers nothing about the other, however near its words are to the question's.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile, groupby, pairwise

from veridic.text.dates import MONTHS, YEAR
from veridic.text.facts import bare, numbers
from veridic.text.questions import keywords
from veridic.text.stop_words import PREPOSITIONS, STOP_WORDS

_NUMBERED = re.compile(r"(?<![\w-])(?P<word>[^\W\d_]+)(?:[ -]|(?=\d))(?P<number>\d+(?:[.,]\d+)*)(?!\w)")
_CODE = re.compile(r"(?<![\w-])(?P<letters>[^\W\d_]+)-?\d\w*(?:-\w*\d\w*)*")
_TERM = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
SHORTEST = 3
"""Letters of a word whose final s may be no plural's."""
_PAUSE = re.compile(r"[^\w .-]+|[.-](?!\w)")


def is_of_another_number(question: str, said: str) -> bool:
    """Whether a text has a word of the question with another number behind it, and its own number nowhere.

    "Level 1" and "PX-100" where the question says "Level 2" and "PX-300"; not "below 5" for "below 7".
    """
    asked, told = set(_numbered(question)), set(_numbered(said))
    missing = {word for word, number in asked - told if number not in numbers(said)}
    return any(word in missing for word, _ in told - asked)


def is_of_another_name(question: str, said: str) -> bool:
    """Whether a text says no name of the question as it is, but longer or shorter.

    "PX-300 Pro" where the question says "PX-300", or the other way round.
    """
    asked, told = set(_long_names(question)), set(_long_names(said))
    return bool(asked) and not asked & told and any(_is_part(one, other) for one in asked for other in told)


def is_of_another_code(question: str, sentence: str) -> bool:
    """Whether a sentence has a code that begins as one of the question's does, and none of the question's.

    "B2X" and "LUMEN-1" where the question says "B2" and "LUMEN-2", whatever the sentence stands under.
    """
    asked, told = _codes(question), _codes(sentence)
    return not asked.keys() & told.keys() and bool(set(asked.values()) & set(told.values()))


def is_of_a_twin(question: str, sentence: str, around: str) -> bool:
    """Whether a sentence is about a thing of the question's kind, and the text around it names the question's own.

    "Top-rope climbing needs the yellow card." where the question says "lead climbing", and another sentence too.
    """
    said, told = set(_stems(sentence)), list(_compounds(sentence))
    asked = {(which, kind) for which, kind in _compounds(question) if which not in said}
    twins = {one for one in asked if any(kind == one[1] and which != one[0] for which, kind in told)}
    return bool(twins) and not twins.isdisjoint(_compounds(around))


def is_of_another_year(question: str, said: str) -> bool:
    """Whether a text names years and none of the question's: minutes of 2024 where the question is after 2025."""
    asked, told = set(YEAR.findall(question)), set(YEAR.findall(said))
    return bool(asked and told) and not asked & told


def _compounds(text: str) -> Iterator[tuple[str, str]]:
    """Each two words side by side that carry meaning and count nothing: which thing, and of what kind."""
    carrying = {word for word in keywords(text) if not numbers(word)}
    for pair in pairwise(_TERM.finditer(text)):
        beside = text[pair[0].end() : pair[1].start()] == " "
        if beside and all(carrying.intersection(term.group().lower().split("-")) for term in pair):
            which, kind = (_singular(term.group().lower()) for term in pair)
            yield which, kind


def _stems(text: str) -> Iterator[str]:
    return (_singular(term.group().lower()) for term in _TERM.finditer(text))


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > SHORTEST else word


def _codes(text: str) -> dict[str, str]:
    """Each code of a text with the letters it begins with, hyphens and case aside."""
    found = ((code.group().replace("-", "").lower(), code["letters"].lower()) for code in _CODE.finditer(text))
    return {code: letters for code, letters in found if letters not in PREPOSITIONS}


def _numbered(text: str) -> Iterator[tuple[str, str]]:
    for found in _NUMBERED.finditer(text):
        word = bare(found["word"])
        if word in MONTHS or word not in STOP_WORDS:
            yield word, found["number"].replace(",", "")


def _long_names(text: str) -> Iterator[tuple[str, ...]]:
    """Each run of capitalised words and numbers that holds a name, without the words of every text it begins with."""
    for part in _PAUSE.split(text):
        for named, run in groupby(part.split(), key=lambda word: word[0].isupper() or word[0].isdigit()):
            words = tuple(dropwhile(lambda word: word in STOP_WORDS, map(bare, run)))
            if named and not all(word.isdigit() for word in words):
                yield words


def _is_part(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether one of two names begins the other."""
    short, long = sorted((tuple(one), tuple(other)), key=len)
    return len(short) < len(long) and long[: len(short)] == short
