"""How well a reader reads labelled rows: given the text, whatever retrieved it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veridic.models.fitting import auc
from veridic.ports.judgements import Reading as Read
from veridic.ports.judging import Reader
from veridic_lab.squad import exact_match, token_f1
from veridic_lab.training.metrics import balanced_accuracy
from veridic_lab.training.reading.rows import DECISIONS, Reading, shown

NEVER = float("inf")
NOTHING = -40.0


def measured(reader: Reader, rows: Sequence[Reading]) -> dict[str, float]:
    """Exact match and F1 of the best span, AUC of "there is an answer", balanced accuracy of yes, no and undecided.

    Each is there where the rows tell: spans, spans and "none", decisions.
    """
    read = reader.read([(row.question, shown(row)) for row in rows], deadline=NEVER)
    found: dict[str, float] = {"rows": float(len(rows))}
    spans = [(row, best_text(row, one)) for row, one in zip(rows, read, strict=True) if row.kind == "span"]
    if spans:
        found["exact_match"] = float(np.mean([exact_match(text, row.answers) for row, text in spans]))
        found["f1"] = float(np.mean([token_f1(text, row.answers) for row, text in spans]))
    open_rows = [(row, one) for row, one in zip(rows, read, strict=True) if row.kind in ("span", "none")]
    if {row.kind for row, _ in open_rows} == {"span", "none"}:
        found["answer_auc"] = auc([row.kind == "span" for row, _ in open_rows], [margin(one) for _, one in open_rows])
    polar = [(row, one) for row, one in zip(rows, read, strict=True) if row.kind in DECISIONS]
    if polar:
        truth = [DECISIONS.index(row.kind) for row, _ in polar]
        found["decision"] = balanced_accuracy(truth, [decision(one) for _, one in polar])
    return found


def best_text(row: Reading, read: Read) -> str:
    """The likeliest span's text; empty where there is none."""
    return shown(row)[read.spans[0].start : read.spans[0].end] if read.spans else ""


def margin(read: Read) -> float:
    """Log-odds of the likeliest span against "no answer here"."""
    return read.spans[0].margin if read.spans else NOTHING


def decision(read: Read) -> int:
    """The likeliest of yes, no and undecided, an index into `DECISIONS`."""
    return int(np.argmax([read.yes, read.no, read.undecided]))
