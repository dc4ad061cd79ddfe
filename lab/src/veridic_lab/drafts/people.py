"""What it gains to fit P to answers that people judged: on collections of files, of some for those of other hands.

`python -m veridic_lab.drafts.people ROWS` reads what `promising --rows ROWS` kept. The answers of one collection, then
of one hand, stand for those that people judged. P is fitted to them as `veridic calibrate answers` does, and measured
on all collections of the other hands, beside P as it ships and the point from which that is verified.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from veridic.models.calibration import NEVER
from veridic.models.fitting import expected_calibration_error
from veridic.models.promise import PROMISED, Sure
from veridic_lab.benchmarks.asking import say
from veridic_lab.drafts.collections import collections
from veridic_lab.drafts.promising import Row

HAND, COLLECTION = 2, 5
"""How much of a document's key names its hand, and its collection: `CA-01/notice.md`."""


class Gained(NamedTuple):
    """P on the answers of other hands, as it ships and as it was fitted to some."""

    judged: int
    before: float
    """Calibration error."""
    after: float
    verified: float
    """Share of the answers that is verified; 0 where too few were judged for a promise of their own."""
    right: float
    """Of these."""
    verified_before: float
    right_before: float


def gained(rows: Sequence[Row], *, group: int, point: float) -> Iterator[Gained]:
    """What each group of collections gains for those of other hands; `point`: from where P as it ships is verified."""
    for name in sorted({one.document[:group] for one in rows}):
        judged = _sure([one for one in rows if one.document[:group] == name])
        others = _sure([one for one in rows if one.document[:HAND] != name[:HAND]])
        fitted = others.moved(*judged.scaling())
        own = judged.moved(*judged.scaling()).promising(PROMISED["normal"])
        yield Gained(
            len(judged.sure),
            expected_calibration_error(others.right, others.sure),
            expected_calibration_error(fitted.right, fitted.sure),
            *_verified(fitted, own),
            *_verified(others, point),
        )


def _sure(rows: Sequence[Row]) -> Sure:
    return Sure.of((one.sure, one.right, one.document) for one in rows)


def _verified(found: Sure, point: float) -> tuple[float, float]:
    above = found.sure >= point
    return float(above.mean()), float(found.right[above].mean()) if above.any() else 0.0


def main() -> None:
    """Say what both sizes gain."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("rows", type=Path)
    options.add_argument("--point", type=float, default=NEVER, help="from where P as it ships is verified")
    chosen = options.parse_args()
    own = {document.key for document in collections("fit")}
    rows = [one for line in chosen.rows.read_text("utf-8").splitlines() if (one := Row.read(line)).document in own]
    for name, group in (("collection", COLLECTION), ("hand", HAND)):
        found = [*gained(rows, group=group, point=chosen.point)]
        promised = [one for one in found if one.verified]
        say(f"{name}: {_means(found)}", f"of these with a promise of their own: {_means(promised)}")


def _means(found: Sequence[Gained]) -> str:
    means = zip(Gained._fields, np.mean(found, axis=0), strict=True) if found else ()
    return f"{len(found)}; {', '.join(f'{name} {value:.3f}' for name, value in means)}"


if __name__ == "__main__":
    main()
