"""Questions on documents as people have them, made for this: handbooks, minutes, house rules, statutes, newsletters.

Twenty-four documents by two hands, with 14 questions each, mostly in other words than the document's: nine that it
answers (by some words, by yes or no, by a sentence) and five near misses that none of them does.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from veridic.training.reading.rows import Kind, Place, Reading

FILE = "own_documents.jsonl"
SOURCE = "own documents"
COMPOSED = "why"
"""`Reading.part` of a question that sentences answer, and no short answer."""
KINDS: dict[str, Kind] = {"span": "span", "yes": "yes", "no": "no", "none": "none", COMPOSED: "span"}


def own_documents() -> list[Reading]:
    """Every question beside the document that it is asked of."""
    lines = files(__package__).joinpath(FILE).read_text(encoding="utf-8").splitlines()
    return [_reading(document, one) for document in map(json.loads, lines) for one in document["questions"]]


def _reading(document: dict[str, Any], one: dict[str, Any]) -> Reading:
    text = document["text"]
    evidence = tuple(_places(text, one["evidence"]))
    answers = tuple(place for answer in one["answers"] for place in _places(text, answer))
    return Reading(
        question=one["question"],
        title="",
        text=text,
        places=evidence if one["kind"] == COMPOSED else answers,
        kind=KINDS[one["kind"]],
        source=SOURCE,
        key=f"{SOURCE}:{document['id']}",
        part=COMPOSED if one["kind"] == COMPOSED else "",
        evidence=evidence,
    )


def _places(text: str, said: str) -> Iterator[Place]:
    """Where it first stands in a text; nowhere if it is empty."""
    if said:
        start = text.index(said)
        yield start, start + len(said)
