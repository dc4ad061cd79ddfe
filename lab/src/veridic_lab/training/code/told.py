"""Documents with code, and questions that some of it answers or none: `answers.txt`, and the like for measuring.

`=== NAME`, a document in Markdown, `--- questions`, then a line each: `? question => code` for what a piece of the code
answers, `! question` for what asks for something to type and no code answers, `- question` for what prose tells.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class CodeQuestion:
    """A question and a piece of the code that answers it; empty where none does."""

    question: str
    code: str
    typed: bool
    """Whether it asks for something to type, or to write into a program or file."""


@dataclass(frozen=True)
class CodeDocument:
    """A document in Markdown with its questions."""

    name: str
    text: str
    questions: tuple[CodeQuestion, ...]


def documents_in(text: str) -> list[CodeDocument]:
    """The documents of a file."""
    return [_document(block) for block in re.split(r"^=== ", text, flags=re.MULTILINE)[1:]]


def write_into(folder: Path, documents: list[CodeDocument]) -> None:
    """Each document as a file of its own."""
    for number, one in enumerate(documents):
        (folder / f"{number:03}.md").write_text(one.text, encoding="utf-8")


def _document(block: str) -> CodeDocument:
    name, rest = block.split("\n", 1)
    text, asked = rest.split("--- questions\n")
    lines = (line.partition(" ") for line in asked.splitlines() if line.strip())
    parts = ((mark, *said.partition(" => ")) for mark, _, said in lines)
    return CodeDocument(
        name, text, tuple(CodeQuestion(question, code, mark != "-") for mark, question, _, code in parts)
    )
