"""Fits what tells questions that ask for code: `python -m veridic.training.code.asked OUT`, with VERIDIC_DATA set.

From the questions of `asked.txt`, written for it, and from questions of fact of the data sets. The messages of
`benchmarks/code_asked.txt` measure it.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, replace
from importlib.resources import files
from pathlib import Path

import numpy as np

from veridic.models.embedder import OnnxEmbedder
from veridic.protocols import Embedder
from veridic.support.direction import Direction
from veridic.training.need import Message, direction, embedded, questions, regression, written

MIXED = "stackexchange.qa"
"""Questions of which some ask for code, and nothing says which."""


def main() -> None:
    """Fit on everything and write the model."""
    [out] = sys.argv[1:]
    model = fitted(messages(Path(os.environ["VERIDIC_DATA"])), OnnxEmbedder())
    Path(out).write_text(json.dumps(asdict(model)) + "\n", encoding="utf-8")


def messages(folder: Path) -> list[Message]:
    """The written questions, and those of the data sets, of which none needs code."""
    facts = [replace(one, needs=False) for one in questions(folder) if one.source != MIXED]
    return [*facts, *written(files(__package__).joinpath("asked.txt").read_text(encoding="utf-8"))]


def fitted(found: list[Message], embedder: Embedder) -> Direction:
    """The regression on all; `needs` says which ask for code."""
    needs = np.array([one.needs for one in found], dtype=float)
    share = np.array([one.weight for one in found])
    return direction(found, regression(embedded(found, embedder), needs, share), embedder.fingerprint)


if __name__ == "__main__":
    main()
