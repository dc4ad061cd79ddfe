"""A scorer of the hub calibrates itself when it is first used: on one half of the trial's pairs, never the other."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime

import numpy as np

from veridic.models.calibrating import HEADS, LABELS, Labelled, Which, deciding, refitted
from veridic.models.calibration import Calibration
from veridic.models.opened import HUB
from veridic.models.scorers import Scorer
from veridic.models.trial import shipped_pairs
from veridic.runtime.kept import Kept

_log = logging.getLogger(__name__)


def self_calibrated(scorer: Scorer, which: Which, kept: Kept) -> Calibration:
    """The calibration that this scorer found of itself, before or now; once a process. Raises what judging raises."""
    pairs = fitting_pairs(which)
    key = f"{scorer.fingerprint}-{hashlib.sha256(repr(pairs).encode()).hexdigest()[:16]}"
    return HUB.once(key, lambda: _read(kept, key) or _found(scorer, which, pairs, kept, key))


def fitting_pairs(which: Which) -> list[Labelled]:
    """The pairs that ship to calibrate by: passages for an evaluator, statements for a critic."""
    asks = which == "evaluator"
    told = [one for one in shipped_pairs() if one.half == "fit" and (one.kind == "passage") == asks]
    missed = 0 if asks else LABELS.index("not_entailment")
    held = 1 if asks else LABELS.index("entailment")
    return [Labelled(one.first, one.second, held if one.label else missed, asks=asks) for one in told]


def _read(kept: Kept, key: str) -> Calibration | None:
    """What was kept; None where nothing was that can be read."""
    with suppress(TypeError, LookupError, AttributeError):
        return Calibration.made_of(kept.read(key))
    return None


def _found(scorer: Scorer, which: Which, pairs: Sequence[Labelled], kept: Kept, key: str) -> Calibration:
    _log.warning("A model of the hub calibrates itself on %d labelled pairs, once; what it finds is kept.", len(pairs))
    heads = HEADS[which]
    scored = scorer.logits([(one.first, one.second) for one in pairs], heads[0], deadline=float("inf"))
    logits = np.array([deciding(one.rows, heads[0]) for one in scored])
    found = replace(
        Calibration.identity(scorer.fingerprint),
        date=datetime.now(UTC).date().isoformat(),
        fitted_on=["the trial's pairs that are there to calibrate by"],
    )
    for head in heads:
        found = refitted(found, head, pairs, logits)
    kept.keep(key, asdict(found))
    return found
