"""Where evidence comes in: what of a passage orders the machine about that reads it is taken out, and listed.

What is taken out leaves white space behind, so that the rest serves and its offsets stay true.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from veridic.errors import JudgeFailed
from veridic.ports.shapes import Failure, Flagged, Passage
from veridic.text.markup import disguised
from veridic.text.sentences import sentences, without_places

if TYPE_CHECKING:
    from veridic.ports.judging import InjectionDetector
    from veridic.runtime.ledger import Ledger

SCREENING = "screen"
"""Under this name a detector that failed stands among the failures; the run ends unverified."""
CERTAIN = 1.0
"""Of what its markup gives away."""
HARMLESS = 0.02
"""P(orders) under which every part of a table's value says that the sentence made of them gives none.

Two of 229 values of three users' tables were taken for orders ("Microchip, any: note is Registration included."), their
parts at .014 at most; of 12 orders that are worded so the least has .03.
"""
_CELL = re.compile(r"(?P<name>[^:\n]+): (?P<field>[^:\n]+?) is (?P<value>(?:(?![.!?] )[^\n])+)")
"""A value of a table as it is stored, "Belt holster: Price EUR is 18.25.": its name, field and value."""
Place = tuple[int, int]


def clean(
    passages: Sequence[Passage], detector: InjectionDetector, ledger: Ledger, *, deadline: float
) -> list[Passage]:
    """The passages without what gives orders; of a detector that fails without what its markup gives away."""
    texts = texts_of(passages)
    try:
        odds = dict(zip(texts, detector.orders(texts, deadline=deadline), strict=True))
    except JudgeFailed as error:
        ledger.problems.append(Failure(node=SCREENING, problem=error.problem, mend=error.mend))
        odds = {}
    looked_at = [screened(one, odds, detector.threshold) for one in passages]
    ledger.flagged += [flag for _, flags in looked_at for flag in flags]
    return [clean for clean, _ in looked_at]


def texts_of(passages: Sequence[Passage]) -> list[str]:
    """What is to be judged of passages, each text once: titles, headings, sentences, the parts of tables' values."""
    said = (part for one in passages for text in _said(one["text"]) for part in (text, *_cells_of(text)))
    found = (*(text for one in passages for text in (one["title"], *_headings(one))), *said)
    return list(dict.fromkeys(text for text in found if text.strip()))


def screened(passage: Passage, odds: Mapping[str, float], threshold: float) -> tuple[Passage, list[Flagged]]:
    """A passage without what gives orders, and what that was; `odds` has the probability of each of its `texts_of`.

    A text without a probability is judged by its markup alone.
    """
    places = _flagged_places(passage["text"], odds, threshold)
    heading = [part for part in _headings(passage) if _sure(part, odds) >= threshold]
    title = [passage["title"]] if _sure(passage["title"], odds) >= threshold else []
    found = [_flag(passage, "title", text, _sure(text, odds)) for text in title]
    found += [_flag(passage, "heading", text, _sure(text, odds)) for text in heading]
    found += [_flag(passage, "text", passage["text"][slice(*place)], sure, place) for place, sure in places.items()]
    if not found:
        return passage, []
    clean: Passage = {
        **passage,
        "title": "" if title else passage["title"],
        "heading": " > ".join(part for part in _headings(passage) if part not in heading),
        "text": without_places(passage["text"], places),
    }
    return clean, found


def _said(text: str) -> list[str]:
    return [sentence.text for sentence in sentences(without_places(text, disguised(text)))]


def _headings(passage: Passage) -> list[str]:
    return passage["heading"].split(" > ") if passage["heading"] else []


def _sure(text: str, odds: Mapping[str, float]) -> float:
    """How sure it is that a title or heading gives orders."""
    return CERTAIN if disguised(text) else odds.get(text, 0.0)


def _flagged_places(text: str, odds: Mapping[str, float], threshold: float) -> dict[Place, float]:
    """The places of a text that give orders, in order, none within another, with how sure that is."""
    marked = dict.fromkeys(disguised(text), CERTAIN)
    said = sentences(without_places(text, marked))
    told = {(one.start, one.end): _orders(one.text, odds) for one in said}
    return dict(sorted([*marked.items(), *((place, sure) for place, sure in told.items() if sure >= threshold)]))


def _orders(sentence: str, odds: Mapping[str, float]) -> float:
    """How sure it is that a sentence gives orders; a table's value counts alone, and harmless parts make no order."""
    sure, cells = odds.get(sentence, 0.0), _cells_of(sentence)
    if not cells:
        return sure
    parts = [odds.get(cell, CERTAIN) for cell in cells]
    return max(odds.get(cells[-1], 0.0), sure if max(parts) >= HARMLESS else 0.0)


def _flag(
    passage: Passage, part: Literal["text", "heading", "title"], text: str, sure: float, place: Place = (0, 0)
) -> Flagged:
    return Flagged(
        document_id=passage["document_id"],
        title=passage["title"],
        url=passage["url"],
        location=passage["location"],
        part=part,
        text=text,
        start=passage["start"] + place[0],
        end=passage["start"] + place[1],
        probability=round(sure, 4),
    )


def _cells_of(sentence: str) -> tuple[str, ...]:
    """The parts of a sentence as the values of tables are stored; none of any other."""
    found = _CELL.fullmatch(sentence)
    return found.groups() if found else ()
