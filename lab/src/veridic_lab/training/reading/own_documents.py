"""Questions on documents as people have them, made for this: handbooks, minutes, house rules, statutes, newsletters.

Questions are mostly in other words than the document's; some are answered by a few words, by yes or no, or by a
sentence, and some are near misses that nothing answers. Nothing is learned from them: they fit the confidence.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import as_file, files
from typing import Any

from veridic_lab.training.pairs import read_rows
from veridic_lab.training.reading.rows import COMPOSED, Reading

FILE = "own_documents.jsonl"
SOURCE = "own documents"


def own_documents() -> list[Reading]:
    """Every question beside the document that it is asked of, as this is stored once it is read.

    Left out are questions whose answer is told otherwise then, as in some tables.
    """
    with as_file(files(__package__) / FILE) as path:
        return [row for document in read_rows(path) for row in _rows(document)]


def _rows(document: dict[str, Any]) -> Iterator[Reading]:
    for asked in document["questions"]:
        if "read" in asked:
            yield Reading(
                question=asked["question"],
                title="",
                text=document.get("stored", document["text"]),
                places=tuple(map(tuple, asked["places"])),
                kind=asked["read"],
                source=SOURCE,
                key=document["key"],
                part=COMPOSED if asked["kind"] == COMPOSED else "",
                evidence=tuple(map(tuple, asked["around"])),
            )
