"""Recurring spans: a sentence asks for a name it shares with another text (Ram et al. 2021, Splinter, section 3).

Nobody labels them; they teach to find in a text what a sentence lacks.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from veridic_lab.training.made import Passage
from veridic_lab.training.reading.rows import Reading
from veridic_lab.training.wording import Rng, names

MASKED = "[MASK]"
COMMON = 12
"""A span of more passages tells too little."""
_YEAR = re.compile(r"\b(?:\d{1,2} \w+ )?(?:1\d{3}|20\d{2})\b")


def recurring(passages: Sequence[Passage], rng: Rng, count: int) -> list[Reading]:
    """Up to `count` rows: the sentence of one passage with a span masked, beside another passage that has the span."""
    holders: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, passage in enumerate(passages):
        for at, sentence in enumerate(passage.sentences):
            for span in set(_spans(sentence)):
                holders[span].append((number, at))
    shared = [span for span, places in holders.items() if 2 <= len({n for n, _ in places}) <= COMMON]
    made: list[Reading] = []
    for place in rng.permutation(len(shared)):
        if len(made) >= count:
            break
        made += _asked(shared[int(place)], holders[shared[int(place)]], passages, rng)
    return made[:count]


def _spans(sentence: str) -> Iterator[str]:
    yield from (match.group() for match in names(sentence) if len(match.group()) > 3)
    yield from (match.group() for match in _YEAR.finditer(sentence))


def _asked(span: str, places: Sequence[tuple[int, int]], passages: Sequence[Passage], rng: Rng) -> Iterator[Reading]:
    order = [places[int(i)] for i in rng.permutation(len(places))]
    (asking, at), others = order[0], [n for n, _ in order[1:] if n != order[0][0]]
    sentence = passages[asking].sentences[at]
    if not others or not 6 <= len(sentence.split()) <= 40:
        return
    passage = passages[others[0]]
    text = " ".join(passage.sentences)
    whole = re.compile(rf"(?<!\w){re.escape(span)}(?!\w)")
    question = whole.sub(MASKED, sentence)
    found = tuple((m.start(), m.end()) for m in whole.finditer(text))
    shared = {m.group() for m in names(question)} & {m.group() for m in names(f"{passage.title}. {text}")}
    if found and shared and span not in passage.title:
        yield Reading(
            question, passage.title, text, found, "span", "recurring", f"recurring:{passage.key}", "recurring"
        )
