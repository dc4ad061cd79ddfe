"""The pairs of the trial that ships, made of a hand: statements of drafts and passages, balanced, halves by document.

`python -m veridic_lab.drafts.trial_pairs [FILE …] [--out FILE]` reads the hand whose role it is, or files.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from veridic.evidence.grounding import asserted
from veridic.models.trial import FILE
from veridic_lab.drafts.examples import premise_for
from veridic_lab.drafts.hands import Asked, Document, Draft, documents, read_hand

STATEMENTS, PASSAGES = 160, 80
"""Pairs in both halves together."""
Row = dict[str, Any]


def trial_pairs(found: Sequence[Document], seed: int = 7) -> list[Row]:
    """The rows of both halves; no document is in both."""
    rng = np.random.default_rng(seed)
    mixed = [found[at] for at in rng.permutation(len(found))]
    halves = {"fit": mixed[::2], "report": mixed[1::2]}
    return [{**row, "half": half} for half, own in halves.items() for row in _balanced(own, rng)]


def _balanced(found: Sequence[Document], rng: np.random.Generator) -> Iterator[Row]:
    """As many true as false statements and passages, each once; false statements of all kinds of error alike."""
    statements = list({row["statement"]: row for row in _statements(found)}.values())
    passages = list({(row["question"], row["passage"]): row for row in _passages(found)}.values())
    for rows, wanted in ((statements, STATEMENTS // 4), (passages, PASSAGES // 4)):
        for label in (1, 0):
            yield from _spread([rows[at] for at in rng.permutation(len(rows)) if rows[at]["label"] == label])[:wanted]


def _spread(rows: Iterable[Row]) -> list[Row]:
    """Rows of one kind of error after those of another."""
    by_error = defaultdict[str, list[Row]](list)
    for row in rows:
        by_error[row.get("error", "")].append(row)
    return [row for row in chain.from_iterable(zip_longest(*by_error.values())) if row]


def _statements(found: Iterable[Document]) -> Iterator[Row]:
    """The sentences of true drafts, and of false ones those that are wrong, as a critic is asked about them."""
    for document in found:
        for asked in document.asked:
            for draft in asked.drafts:
                yield from _of_draft(document, asked, draft)


def _of_draft(document: Document, asked: Asked, draft: Draft) -> Iterator[Row]:
    for one in draft.statements():
        said = asserted(one.text, asked.question)
        if said and (draft.true or one.wrong):
            premise = premise_for(f"{said} {asked.question}", document)
            yield {"premise": premise, "statement": said, "label": int(draft.true), "error": draft.error}


def _passages(found: Iterable[Document]) -> Iterator[Row]:
    """Answered questions beside the piece with the answer, unanswered ones beside the piece that is nearest."""
    for document in found:
        for asked in document.asked:
            piece = premise_for(f"{asked.question} {asked.span}", document)
            if asked.span and asked.span in piece:
                yield {"question": asked.question, "passage": piece, "label": 1}
        for question in document.unanswered:
            yield {"question": question, "passage": premise_for(question, document), "label": 0}


def main() -> None:
    """Write the file, and print how many pairs of each kind it has."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("files", nargs="*", type=Path)
    options.add_argument("--out", type=Path, default=FILE)
    told = options.parse_args()
    found = [one for path in told.files for one in read_hand(path)] if told.files else documents("trial")
    rows = trial_pairs(found)
    told.out.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")
    print(f"{len(found)} documents, {len(rows)} pairs, {sum(row['label'] for row in rows)} true: {told.out}")  # noqa: T201


if __name__ == "__main__":
    main()
