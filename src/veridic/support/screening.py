"""What of a passage orders the machine about that reads it, and the passage without it.

What is taken out leaves white space behind, so that the rest serves and its offsets stay true.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from veridic.shapes import Flagged, Passage
from veridic.text.blanks import without_places
from veridic.text.markup import disguised
from veridic.text.sentences import sentences

CERTAIN = 1.0
"""Of what its markup gives away."""
Place = tuple[int, int]


def texts_of(passages: Sequence[Passage]) -> list[str]:
    """What is to be judged of passages, each text once: their titles and headings, and every sentence."""
    found = (text for one in passages for text in (one["title"], *_headings(one), *_said(one["text"])))
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
    told = {(one.start, one.end): odds.get(one.text, 0.0) for one in said}
    return dict(sorted([*marked.items(), *((place, sure) for place, sure in told.items() if sure >= threshold)]))


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
