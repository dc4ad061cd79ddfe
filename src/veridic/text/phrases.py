"""The noun phrases of a question, by its closed-class words and the order of words; English, and no tagger.

What lies between words of a closed class is a run of words that carry meaning. A question has its auxiliary before its
subject and its verb behind it: "does the tram | leave".
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veridic.text.stop_words import (
    ARTICLES,
    ASKING,
    DETERMINERS,
    PREPOSITIONS,
    PRONOUNS,
    folded,
    is_auxiliary,
    is_closed,
)

_BE = frozenset(("is", "are", "was", "were"))
_NOUN_ASKED = frozenset(("which", "what", "whose", "many", "much"))
"""What stands right before the noun that is asked for."""
_WORD = re.compile(r"[^\W_](?:[\w'’.-]*\w)?")
_PARTICIPLE = re.compile(
    r"\w+[^e]ed|open|free|full|born|bought|built|found|given|held|kept|lent|lost|made|paid|sent|set|shown|sold|taken|told|"
    r"won|written"
)
_ADVERB = re.compile(r"still|always|often|usually|normally|again")


@dataclass(frozen=True)
class Phrase:
    """A noun phrase: the characters from `start` to `end`, with its article."""

    text: str
    start: int
    end: int
    opens: int
    """Where the preposition that leads it begins; `start` where none does."""
    preposition: str
    """Lower-cased; empty where none leads it."""
    asked: bool
    """Whether it is what is asked for: "how many eggs"."""


@dataclass(frozen=True)
class _Word:
    text: str
    start: int
    end: int

    @property
    def low(self) -> str:
        return folded(self.text)

    @property
    def named(self) -> bool:
        return not self.text[0].islower()


def phrases(question: str) -> list[Phrase]:
    """The noun phrases of a question, in order; what cannot be told apart is in one."""
    words = [_Word(one.group(), one.start(), one.end()) for one in _WORD.finditer(question)]
    auxiliary = next((place for place, word in enumerate(words) if is_auxiliary(word.low)), len(words))
    found, has_verb = list[Phrase](), auxiliary == len(words)
    for first, last in _runs(question, words):
        verb = _verb(words, first, last, auxiliary, has_verb=has_verb)
        has_verb = has_verb or (first > auxiliary and verb <= last)
        parts = ((first, verb - 1), (verb + 1, last))
        found += [_phrase(question, words, start, end) for start, end in parts if start <= end]
    return found


def is_plural(phrase: str) -> bool:
    """Whether a noun phrase speaks of several, by its last word or as a pair."""
    words = phrase.lower().split()
    return "and" in words or _is_plural(words[-1])


def is_named(text: str) -> bool:
    """Whether a word of a text begins with a capital or a figure."""
    return any(not word[0].islower() for word in text.split())


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _runs(question: str, words: Sequence[_Word]) -> Iterator[tuple[int, int]]:
    """First and last word of each run; runs end at words of a closed class and at punctuation."""
    first = 0
    for place, word in enumerate(words):
        carries = _carries(words, place)
        behind = words[place + 1] if place + 1 < len(words) else None
        parted = behind is None or not _carries(words, place + 1) or question[word.end : behind.start].strip()
        if carries and parted:
            yield first, place
        first = place + 1 if parted or not carries else first


def _carries(words: Sequence[_Word], place: int) -> bool:
    """Whether a word carries meaning; "of" does within a name, as in "University of Oslo"."""
    word, around = words[place], (*words[max(0, place - 1) : place], *words[place + 1 : place + 2])
    if word.low == "of":
        return len(around) > 1 and all(one.named and not is_closed(one.low) for one in around)
    return not is_closed(word.low) and not _ADVERB.fullmatch(word.text)


def _verb(words: Sequence[_Word], first: int, last: int, auxiliary: int, *, has_verb: bool) -> int:
    """Which word of a run is a verb, and no part of its noun phrases; beyond the last where none is."""
    before = words[first - 1].low if first else ""
    behind = words[last + 1].low if last + 1 < len(words) else ""
    if before in _NOUN_ASKED:
        return last + 1 if is_auxiliary(behind) or behind == "of" else last if behind else min(first + 1, last)
    asked_who = auxiliary == first - 1 > 0 and words[auxiliary - 1].low == "who" and words[auxiliary].low not in _BE
    if before in ASKING or before in PRONOUNS or (before == "to" and not words[first].named) or asked_who:
        return first
    if first < auxiliary or has_verb or auxiliary == len(words) or is_auxiliary(behind):
        return last + 1
    if words[auxiliary].low in _BE:
        return last if _PARTICIPLE.fullmatch(words[last].text) else last + 1
    return _main_verb(words, first, last, auxiliary)


def _main_verb(words: Sequence[_Word], first: int, last: int, auxiliary: int) -> int:
    """Behind the first plural, else the last word in lower case but the first: "the router | support | IPv6"."""
    common = [place for place in range(first, last + 1) if not words[place].named]
    may_be = words[auxiliary].low in ("do", "have") or not first or words[first - 1].low not in ARTICLES
    plural = next((place + 1 for place in common if may_be and place < last and _is_plural(words[place].low)), None)
    return plural or next((place for place in reversed(common) if place > first), last + 1)


def _phrase(question: str, words: Sequence[_Word], first: int, last: int) -> Phrase:
    place = first - 1
    begins = words[first].start
    if place >= 0 and words[place].low in (*ARTICLES, *DETERMINERS):
        begins, place = words[place].start, place - 1
    leader = words[place] if place >= 0 else None
    asked = leader is not None and leader.low in _NOUN_ASKED
    if leader and asked:
        begins = words[place - 1].start if leader.low in ("many", "much") and place else leader.start
    led = leader if leader and leader.low in PREPOSITIONS else None
    end = words[last].end
    return Phrase(question[begins:end], begins, end, led.start if led else begins, led.low if led else "", asked)
