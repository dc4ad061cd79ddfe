"""Where evidence comes in: what of a passage orders the machine about that reads it is taken out, and listed.

What is taken out leaves white space behind, so that the rest serves and its offsets stay true.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from veridic.errors import JudgeFailed
from veridic.ports.judging import InjectionDetector
from veridic.ports.shapes import Failure, Flagged, Passage
from veridic.runtime.ledger import Ledger
from veridic.text.sentences import sentences, without_places

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
KEPT = 512
"""Passages whose parts are known still: the same ones are found again and again."""
_HIDDEN = (
    re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL),
    re.compile(r"[\U000E0000-\U000E007F]+"),
)
"""Comments of HTML, and characters that have no shape."""
_TURN = (
    re.compile(r"<\|[\w-]{1,32}\|>[^\n]*"),
    re.compile(r"(?:\[/?INST\]|<</?SYS>>)[^\n]*"),
    re.compile(r"^#{1,6}[ \t]*(?:system|assistant|user)\b[^\n:]{0,20}:[^\n]*", re.MULTILINE | re.IGNORECASE),
)
"""What opens or closes the turn of a chat, to the end of its line."""
_CARRIER = re.compile(r"!\[[^\]\n]*\]\(\s*\w+://[^\s)?#]*\?[^\s)]*[{\[<$][^)\n]*\)")
"""A picture, loaded unasked, whose address has a place to be filled in."""
_PROGRAM = re.compile(r"(?<!\S)(?:(?:java|vb)script:\w*(?:[^\s\w.,]|\.\w)|data:text/html)\S*", re.IGNORECASE)
"""An address that is a program, by itself; what renders links and attributes shows theirs as text."""


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
    parts = [part for one in passages for part in _parts(one["title"], one["heading"], one["text"]) if not part.marked]
    found = (text for part in parts for text in (part.text, *part.cells) if text.strip())
    return list(dict.fromkeys(found))


def screened(passage: Passage, odds: Mapping[str, float], threshold: float) -> tuple[Passage, list[Flagged]]:
    """A passage without what gives orders, and what that was; `odds` has the probability of each of its `texts_of`.

    A text without a probability is judged by its markup alone.
    """
    told = [(part, _orders(part, odds)) for part in _parts(passage["title"], passage["heading"], passage["text"])]
    out = [(part, sure) for part, sure in told if sure >= threshold]
    if not out:
        return passage, []
    gone = {part.text for part, _ in out if part.part == "heading"}
    clean: Passage = {
        **passage,
        "title": "" if any(part.part == "title" for part, _ in out) else passage["title"],
        "heading": " > ".join(one for one in passage["heading"].split(" > ") if one not in gone),
        "text": without_places(passage["text"], [part.place for part, _ in out if part.part == "text"]),
    }
    return clean, [_flag(passage, part, sure) for part, sure in out]


class _Part(NamedTuple):
    """What may give orders by itself."""

    part: Literal["text", "heading", "title"]
    text: str
    place: tuple[int, int]
    """In the passage's text; of title and heading its beginning."""
    marked: bool
    """Whether its markup gives it away."""
    cells: tuple[str, ...] = ()
    """Of a table's value as it is stored what it is made of."""


@lru_cache(maxsize=KEPT)
def _parts(title: str, heading: str, text: str) -> list[_Part]:
    """What is looked at of a passage: title, headings, then what only a machine sees of the text, and its sentences."""
    heads: list[tuple[Literal["heading", "title"], str]] = [("title", title)]
    heads += [("heading", one) for one in heading.split(" > ") if one]
    marked = disguised(text)
    found = [_Part("text", text[slice(*place)], place, marked=True) for place in marked]
    for one in sentences(without_places(text, marked)):
        cells = _CELL.fullmatch(one.text)
        found.append(_Part("text", one.text, (one.start, one.end), marked=False, cells=cells.groups() if cells else ()))
    return [
        *(_Part(part, said, (0, 0), marked=bool(disguised(said))) for part, said in heads),
        *sorted(found, key=lambda part: part.place),
    ]


def _orders(part: _Part, odds: Mapping[str, float]) -> float:
    """How sure it is that a part gives orders; a table's value counts alone, and harmless cells make no order."""
    sure = CERTAIN if part.marked else odds.get(part.text, 0.0)
    if part.marked or not part.cells:
        return sure
    cells = [odds.get(cell, CERTAIN) for cell in part.cells]
    return max(odds.get(part.cells[-1], 0.0), sure if max(cells) >= HARMLESS else 0.0)


def _flag(passage: Passage, part: _Part, sure: float) -> Flagged:
    return Flagged(
        document_id=passage["document_id"],
        title=passage["title"],
        url=passage["url"],
        location=passage["location"],
        part=part.part,
        text=part.text,
        start=passage["start"] + part.place[0],
        end=passage["start"] + part.place[1],
        probability=round(sure, 4),
    )


def disguised(text: str) -> list[tuple[int, int]]:
    """The places of what is meant for a machine alone.

    It poses as a chat turn, hides in a comment, is a picture that would carry something away, or an address that is a
    program.
    In order; those that touch are one.
    """
    joined: list[tuple[int, int]] = []
    forms = (*_HIDDEN, *_TURN, _CARRIER, _PROGRAM)
    for start, end in sorted(found.span() for form in forms for found in form.finditer(text)):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined
