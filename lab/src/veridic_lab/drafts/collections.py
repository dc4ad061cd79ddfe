"""Collections: the files that one organisation, household or person has, and what people ask of them.

`data/collections/` holds a file for each hand, a line for each collection; `manifest.json` beside them says what each
hand is for. About four of five questions are answered, half of them in the files' own words, half in people's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from veridic_lab.drafts.hands import FOLDER as WRITTEN
from veridic_lab.drafts.hands import Asked, Document, Role, manifest

FOLDER = WRITTEN.with_name("collections")
SENTENCES = ("yes-no", "why-how")
"""Kinds of questions whose answer is no value in a table."""


def collections(*roles: Role, folder: Path = FOLDER) -> list[Document]:
    """All collections of the hands with these roles."""
    hands = [hand for hand, role in manifest(folder).items() if role in roles]
    return [one for hand in hands for one in read_collections(folder / f"{hand}.jsonl")]


def read_collections(path: Path) -> Iterator[Document]:
    """The collections of a file."""
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        files: dict[str, str] = {one["name"]: one["text"] for one in row["files"]}
        yield Document(
            key=row["id"],
            title=row["about"],
            texts=tuple(files.values()),
            asked=tuple(_asked(one, files[one["file"]]) for one in row["asked"]),
            unanswered=tuple(row["unanswered"]),
            names=tuple(files),
        )


def _asked(row: dict[str, Any], text: str) -> Asked:
    answers = tuple(row["answers"])
    stated = [] if row["kind"] in SENTENCES else _cells(row["span"], text)
    called = tuple(cell for cell in stated if cell not in answers)
    return Asked(row["q"], row["kind"], row["span"], answers[0], (), answers, called)


def _cells(span: str, text: str) -> list[str]:
    """The cells with words of the row of a Markdown table that holds a span; none where it stands in no table."""
    start, end = text.rfind("\n", 0, text.index(span)) + 1, text.find("\n", text.index(span) + len(span))
    line = text[start : end if end >= 0 else len(text)]
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    return [cell for cell in cells if any(map(str.isalpha, cell))] if line.count("|") > 1 else []
