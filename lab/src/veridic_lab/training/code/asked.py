"""Fits what tells questions that ask for code: `python -m veridic_lab.training.code.asked OUT TYPED`.

With VERIDIC_DATA set. From the questions of `asked.txt`, written for it, and from questions of fact of the data sets.
The messages of `benchmarks/code_asked.txt` measure it. Beside it what tells those that ask for something to type, and
not for a value that may stand in code: from the questions of `answers.txt` and `typed.txt`; those of
`benchmarks/code_answers.txt` measure it.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, replace
from importlib.resources import files
from pathlib import Path

import numpy as np

from veridic.evidence.direction import Direction
from veridic.models.embedder import OnnxEmbedder
from veridic.ports.embedding import Embedder
from veridic_lab.training.code.told import documents_in
from veridic_lab.training.need import WRITTEN, Message, direction, embedded, questions, regression, written

MIXED = "stackexchange.qa"
"""Questions of which some ask for code, and nothing says which."""


def main() -> None:
    """Fit both on everything and write them."""
    folder, embedder = Path(os.environ["VERIDIC_DATA"]), OnnxEmbedder()
    for out, found in zip(sys.argv[1:], (messages(folder), typed(folder)), strict=True):
        Path(out).write_text(json.dumps(asdict(fitted(found, embedder))) + "\n", encoding="utf-8")


def messages(folder: Path) -> list[Message]:
    """The written questions, and those of the data sets, of which none needs code."""
    return [*_facts(folder), *written(_text("asked.txt"))]


def typed(folder: Path) -> list[Message]:
    """The questions about documents with code, others that prose answers, and those of the data sets."""
    asked = [one for document in documents_in(_text("answers.txt")) for one in document.questions]
    about = [Message(one.question, needs=one.typed, source=WRITTEN) for one in asked]
    return [*_facts(folder), *written(_text("typed.txt")), *about]


def _facts(folder: Path) -> list[Message]:
    return [replace(one, needs=False) for one in questions(folder) if one.source != MIXED]


def _text(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def fitted(found: list[Message], embedder: Embedder) -> Direction:
    """The regression on all; `needs` says which ask for code."""
    needs = np.array([one.needs for one in found], dtype=float)
    share = np.array([one.weight for one in found])
    return direction(found, regression(embedded(found, embedder), needs, share), embedder.fingerprint)


if __name__ == "__main__":
    main()
