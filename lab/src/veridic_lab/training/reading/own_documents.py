"""Questions on documents as people have them, made for this: handbooks, minutes, house rules, statutes, newsletters.

Twenty-four documents by two hands, with 14 questions each, mostly in other words than the document's: nine that it
answers (by some words, by yes or no, by a sentence) and five near misses that none of them does. Nothing is learned
from them: they fit the confidence.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from veridic_lab.training.reading.rows import Reading
from veridic_lab.training.written.documents import Asked, Kind, Written
from veridic_lab.training.written.whole import COMPOSED, whole_readings

FILE = "own_documents.jsonl"
SOURCE = "own documents"
KINDS: dict[str, Kind] = {"span": "span", "yes": "yes", "no": "no", "none": "none", COMPOSED: "composed"}


def own_documents() -> list[Reading]:
    """Every question beside the document that it is asked of."""
    lines = files(__package__).joinpath(FILE).read_text(encoding="utf-8").splitlines()
    return [row for line in lines for row in whole_readings(_document(json.loads(line)), SOURCE)]


def _document(row: dict[str, Any]) -> Written:
    asked = (
        Asked(one["question"], KINDS[one["kind"]], tuple(one["answers"]), one["evidence"]) for one in row["questions"]
    )
    return Written(f"own:{row['id']}", row["text"], tuple(asked))
