"""Minimal pairs: two statements about a document of nearly one form, the one entailed and the other not.

They were written for the errors that drafts teach least: names, subjects, directions, units and values of the document
told of another thing. `lab/data/pairs/HAND.jsonl` has those of a hand, a line for each of its documents.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from veridic_lab.drafts.examples import Example, premise_for
from veridic_lab.drafts.hands import Document, may_be_learned_from
from veridic_lab.training.pairs import NLI_LABELS

FOLDER = Path(__file__).parents[3] / "data" / "pairs"
TOGETHER = 3
"""Pairs beside one premise."""
WORDS = 170
"""Words of their premise, at most."""

MinimalPair = dict[str, str]
"""`true`, `false`, the kind of `error`, and the words of the false one that are `wrong`."""


def minimal_pairs(documents: Sequence[Document], folder: Path = FOLDER) -> Iterator[Example]:
    """Both statements of every pair that was written about these documents. Raises `UsageError` for a held-out one."""
    by_key = {one.key: one for one in documents}
    for hand in sorted({one.hand for one in documents}):
        for key, pairs in of_hand(folder / f"{hand}.jsonl"):
            may_be_learned_from([key])
            if key in by_key:
                yield from _examples(by_key[key], pairs)


def of_hand(path: Path) -> Iterator[tuple[str, list[MinimalPair]]]:
    """The key of each document of a hand, and its pairs; nothing where none were written."""
    if path.is_file():
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            yield row["id"], row["pairs"]


def _examples(document: Document, pairs: Sequence[MinimalPair]) -> Iterator[Example]:
    for start in range(0, len(pairs), TOGETHER):
        side_by_side = pairs[start : start + TOGETHER]
        premise = premise_for(" ".join(f"{one['true']} {one['false']}" for one in side_by_side), document, WORDS)
        for number, one in enumerate(side_by_side, start):
            group = f"{document.key} pair {number}"
            yield _example(one["true"], None, premise, group, document.key)
            at = one["false"].index(one["wrong"])
            yield _example(one["false"], (at, at + len(one["wrong"])), premise, group, document.key)


def _example(text: str, wrong: tuple[int, int] | None, premise: str, group: str, key: str) -> Example:
    label = NLI_LABELS.index("not_entailment" if wrong else "entailment")
    return Example(text, premise=premise, label=label, wrong=wrong, marked=True, group=group, key=key)
