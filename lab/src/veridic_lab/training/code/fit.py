"""Fits what tells lines of code from prose: `python -m veridic_lab.training.code.fit OUT`, with VERIDIC_DATA set.

From the fenced blocks of a share of the forums' pages, from harmless text, and from `lines.txt`, written for it.
`benchmarks.code_lines` measures on the other pages.
"""

from __future__ import annotations

import json
import os
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from itertools import cycle
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import veridic
from veridic.text.code_lines import features
from veridic.text.sentences import FENCE
from veridic_lab.training.need import apart, regression
from veridic_lab.training.pairs import find, fraction_of, held_out, read_rows

FORUM = "stackexchange"
OTHERS = ("mtrag", "nq_gold", "clapnq", "2wiki", "scifact", "pubmedqa", "ramdocs")
MEASURED = 0.5
"""Share of every set's pages that is measured on."""
PER_SET = 350
SENTENCES = 0.15
"""Share of a page's sentences that is fitted on."""
WIDTHS = (0, 50, 0, 60, 72, 0, 80)
"""Characters to which lines of prose are wrapped in turn; 0 leaves a sentence whole."""
FALSE_ALARMS = 0.006
"""Share of lines of prose that may be called code, by a fit that has not seen them."""
OF_OWN = 0.1
"""Share of our own lines that is fitted on."""
NO_CODE = ("beer", "matheducators")
"""Forums whose fenced blocks hold recipes and tables."""
OF_WRITTEN = 3.0
"""What a line of `lines.txt` counts, beside 1 of a page's."""
WRITTEN = "written"
_SAID = re.compile(r'""".*?"""', re.DOTALL)
_PARTED = re.compile(r"(?<=[.!?])\s+|\n\s*\n")
"""Between sentences, roughly: what cuts them exactly asks what is fitted here."""
_FENCED = re.compile(FENCE, re.MULTILINE | re.DOTALL)
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Line:
    """A line and whether it is code."""

    text: str
    code: bool
    source: str
    key: str
    """What is never split: a page, or the line itself."""


def main() -> None:
    """Fit on everything and write the weights."""
    [out] = sys.argv[1:]
    found = [*written(), *own(), *of_pages(Path(os.environ["VERIDIC_DATA"]), measured=False)]
    Path(out).write_text(json.dumps(fitted(list({one.text: one for one in found}.values()))) + "\n", encoding="utf-8")


def written() -> Iterator[Line]:
    """The lines of `lines.txt`: `+` before one of code, `-` before one of prose."""
    for line in files(__package__).joinpath("lines.txt").read_text(encoding="utf-8").splitlines():
        mark, _, said = line.partition(" ")
        if mark in ("+", "-"):
            yield Line(said, mark == "+", WRITTEN, said)


def own() -> Iterator[Line]:
    """Lines of our own programs; what they say in words is left out."""
    for path in sorted(Path(veridic.__file__).parent.rglob("*.py")):
        for line in _SAID.sub("", path.read_text(encoding="utf-8")).splitlines():
            if _is_statement(line) and held_out(f"drawn:{line}", OF_OWN):
                yield Line(line, code=True, source="veridic", key=line.strip())


def _is_statement(line: str) -> bool:
    """Whether a line says something to a machine: a comment, like a heading of Markdown, is prose behind its mark."""
    return bool(line.strip()) and not line.lstrip().startswith("#")


def of_pages(folder: Path, *, measured: bool) -> Iterator[Line]:
    """Lines of the pages that are measured on, or of the others."""
    for name in (FORUM, *OTHERS):
        rows = [row for row in read_rows(find(folder, f"{name}.corpus")) if is_measured(str(row["id"])) == measured]
        rows.sort(key=lambda row: fraction_of(f"drawn:{row['id']}"))
        for row in rows if name == FORUM else rows[:PER_SET]:
            yield from _of_page(name, str(row["id"]), str(row["text"]))


def is_measured(page: str) -> bool:
    """Whether a page is kept from the fit."""
    return held_out(f"code:{page}", MEASURED)


def _of_page(source: str, page: str, text: str) -> Iterator[Line]:
    fenced = [line for block in _FENCED.finditer(text) for line in block.group().splitlines()[1:-1]]
    if not any(forum in page for forum in NO_CODE):
        yield from (Line(line, code=True, source=source, key=page) for line in fenced if _is_statement(line))
    said = [one for one in _PARTED.split(_FENCED.sub("\n\n", text)) if held_out(f"drawn:{one}", SENTENCES)]
    for sentence, width in zip(said, cycle(WIDTHS), strict=False):
        lines = textwrap.wrap(sentence, width) if width else sentence.splitlines()
        yield from (Line(line, code=False, source=source, key=page) for line in lines if line.strip())


def fitted(found: Sequence[Line]) -> dict[str, object]:
    """The regression on what lines look like, its offset lowered until hardly any unseen prose is called code."""
    seen = np.array([features(one.text) for one in found])
    middle, spread = seen.mean(axis=0), seen.std(axis=0) + 1e-3
    truth = np.array([one.code for one in found], float)
    share = np.where([one.source == WRITTEN for one in found], OF_WRITTEN, 1.0)
    share[truth == 1] *= share[truth == 0].sum() / share[truth == 1].sum()
    scaled = (seen - middle) / spread
    point = regression(scaled, truth, share)
    lowered = float(np.quantile(apart([one.key for one in found], scaled, truth, share)[truth == 0], 1 - FALSE_ALARMS))
    weights = point[:-1] / spread
    return {
        "weights": [round(float(value), 4) for value in weights],
        "offset": round(float(point[-1] - middle @ weights - max(0.0, lowered)), 4),
        "fitted_on": dict(Counter(f"{one.source}{', code' if one.code else ''}" for one in found)),
        "date": datetime.now(UTC).date().isoformat(),
    }


if __name__ == "__main__":
    main()
