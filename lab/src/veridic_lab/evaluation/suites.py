"""The suites by name: which questions are asked over which documents.

`answers` merges five question sets into one corpus, `speed` is a smaller one, for times; most questions of `linked`
rest on what another one asks. In `outside` no answer stands in the corpus, every one in the recorded world. Only
questions that the shipped judges have not seen are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from veridic_lab.evaluation.merged import merged
from veridic_lab.evaluation.outside import outside
from veridic_lab.evaluation.questions import own_questions
from veridic_lab.evaluation.suite import Recipe, Suite

_MERGED = Recipe(("nq_gold", "xquad_en", "hotpotqa", "2wiki", "pubmedqa"), ("clapnq", "mtrag"))
_WORLD = Recipe(("nq_gold", "xquad_en", "hotpotqa", "2wiki", "pubmedqa"), ("clapnq",), papers=("pubmedqa",))
SUITES: Mapping[str, tuple[Callable[[str, Recipe, Path], Suite], Recipe]] = {
    "answers": (merged, _MERGED),
    "linked": (merged, Recipe(("musique", "2wiki", "hotpotqa"), ("clapnq",))),
    "speed": (merged, Recipe(("nq_gold", "xquad_en"), ("clapnq",))),
    "outside": (outside, _WORLD),
}


def open_suite(name: str, data: Callable[[], Path], folder: Path | None = None) -> Suite:
    """A suite by name, read from the data folder, or one's own questions over a folder. Raises `UsageError`."""
    if name in SUITES:
        make, recipe = SUITES[name]
        return make(name, recipe, data())
    return Suite(Path(name).stem, tuple(own_questions(Path(name))), folder=folder)
