"""Calibrates a judge on the hand that fits: scale, support and evaluator's points; contradiction on held-out pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from veridic.models.by_settings import calibrate, open_judges
from veridic.models.calibrating import (
    Labelled,
    Which,
    decided,
    logits_of,
    with_points,
)
from veridic.models.calibration import Calibration
from veridic.settings import Settings
from veridic_lab.drafts.examples import cut, of_drafts
from veridic_lab.drafts.facts import Sheet, of_sheets, sheets
from veridic_lab.drafts.hands import Document, documents
from veridic_lab.drafts.passages import of_documents
from veridic_lab.training.pairs import find, held_out, read_pairs

DENIED = ("mnli.nli", "fool_me_twice.nli", "scifact.nli")
"""Sets of whose held-out pairs it is known that some are contradicted."""
PAIRS = 250
"""Of each set, at most."""


def fitting_pairs(found: Sequence[Document], own: Sequence[Sheet]) -> Iterator[Labelled]:
    """Statements beside their premises, and questions beside what is nearest to them."""
    for one in of_drafts(found):
        yield Labelled(one.premise, one.own, one.label, asks=False, answers=one.question)
    for one in (*of_documents(found), *of_sheets(own)):
        helps = one.relevant if one.relevant >= 0 else one.answered
        if helps >= 0:
            yield Labelled(one.question, one.own, helps, asks=True)


def denied_pairs(data: Path, seed: int = 7) -> list[Labelled]:
    """Held-out pairs of three labels."""
    rng = np.random.default_rng(seed)
    found: list[Labelled] = []
    for name in DENIED:
        pairs = [pair for pair in read_pairs(find(data, name)) if held_out(pair.key) and pair.label < len("enc")]
        chosen = [pairs[at] for at in rng.permutation(len(pairs))[:PAIRS]]
        found += [Labelled(cut(pair.first, pair.second), pair.second, pair.label, asks=False) for pair in chosen]
    return found


def fit(settings: Settings, data: Path | None, out: Path, which: Which = "both") -> Calibration:
    """Calibrate the settings' judges on the hand that fits, and write the calibration.

    With data it is fitted, too, when something contradicts. `drafts.evaluating` fits the evaluator's points after that.
    """
    pairs = list(fitting_pairs(documents("fit"), sheets("fit")))
    found = replace(calibrate(pairs, settings, which), fitted_on=["written drafts of the hand that fits"])
    if data and which != "evaluator":
        _, critic = open_judges(settings, calibrated=False)
        told = decided(found, "nli", denied := denied_pairs(data), logits_of(critic, denied, "nli"))
        found = with_points(
            found, {name: {"contradiction": point.contradiction} for name, point in told.thresholds.items()}
        )
    found.write(out)
    return found
