"""Invented documents with questions, as they stand in `texts/`: what is asked of each, and where it is answered.

A file holds documents, each behind `=== DOC name` and before `=== ASK`; then come the questions, a line each: `S` that
some words answer, `Y` and `N` that the document decides so, `U` that it leaves undecided, `W` that a sentence answers,
`0` a near miss, of whose things the document speaks without answering. Below a question `= ` gives its answers, divided
by ` // `, and `< ` some words in a row of the place that answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

from veridic.text.sentences import sentences

Kind = Literal["span", "yes", "no", "undecided", "composed", "none"]
KINDS: dict[str, Kind] = {
    "S": "span",
    "Y": "yes",
    "N": "no",
    "U": "undecided",
    "W": "composed",
    "0": "none",
}
SOURCE = "written"
FOLDER = "texts"
_DOCUMENT = re.compile(r"^=== DOC ", re.MULTILINE)
_ASKED = "\n=== ASK\n"


@dataclass(frozen=True)
class Asked:
    """A question of a document."""

    question: str
    kind: Kind
    answers: tuple[str, ...] = ()
    """What some words of the document may be for; none unless `kind` is span."""
    place: str = ""
    """The sentence, list item or row that answers; empty where none does."""


@dataclass(frozen=True)
class Written:
    """A document with its questions."""

    key: str
    """The file's name and the document's own."""
    text: str
    asked: tuple[Asked, ...]

    @property
    def group(self) -> str:
        """What splits are made by: a document is learned from whole, or not at all."""
        return f"{SOURCE}:{self.key}"


def written_documents() -> list[Written]:
    """All that were written, by file and place. Raises `ValueError` for a line that says nothing that is known."""
    folder = files(__package__) / FOLDER
    return [
        document
        for file in sorted(folder.iterdir(), key=lambda one: one.name)
        for document in documents_in(file.name.removesuffix(".txt"), file.read_text(encoding="utf-8"))
    ]


def documents_in(name: str, content: str) -> Iterator[Written]:
    """The documents of one file. Raises `ValueError` for a line that says nothing that is known."""
    for block in _DOCUMENT.split(content)[1:]:
        head, _, rest = block.partition("\n")
        text, _, lines = rest.partition(_ASKED)
        yield Written(f"{name}:{head.strip()}", text.strip(), tuple(_asked(text.strip(), lines)))


def _asked(text: str, lines: str) -> Iterator[Asked]:
    for block in re.split(r"^(?=[A-Z0] )", lines, flags=re.MULTILINE)[1:]:
        first, *more = block.strip().splitlines()
        told = {line[0]: line[2:].strip() for line in more}
        if first[0] not in KINDS or told.keys() - {"=", "<"}:
            raise ValueError(f"What does {block!r} say?")
        answers = tuple(one.strip() for one in told.get("=", "").split(" // ") if one.strip())
        said = told.get("<") or (answers[0] if answers else "")
        yield Asked(first[2:].strip(), KINDS[first[0]], answers, _around(text, said) if said else "")


def _around(text: str, said: str) -> str:
    """The sentence of a line that holds these words, which stand in the text. Raises `ValueError` if they do not."""
    at = text.index(said)
    start = text.rfind("\n", 0, at) + 1
    line = text[start:].partition("\n")[0]
    found = [one for one in sentences(line) if start + one.start <= at < start + one.end]
    return found[0].text if found and not line.startswith("|") else line
