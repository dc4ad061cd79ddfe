"""What the critic lets pass of sentences that rules made false, and keeps of true ones, in unseen text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from veridic.evidence.evidence import departs
from veridic.models.calibration import Calibration
from veridic_lab.training.made import made_pairs, seeded
from veridic_lab.training.scoring import RawScorer
from veridic_lab.training.sets import question_set
from veridic_lab.training.veridicality import MEASURED

SEEN = 120
"""Pairs of one kind that are measured at most."""


@dataclass(frozen=True)
class Swap:
    """One kind of changed sentence; shares are of right verdicts: false not supported, true supported."""

    kind: str
    true: bool
    pairs: int
    alone: float
    with_rules: float


def swaps(folder: Path, scorer: RawScorer, calibration: Calibration) -> Iterator[Swap]:
    """Every kind of rule over XQuAD's paragraphs, of which no judge of ours has seen one."""
    _, corpus = question_set(folder, "xquad_en")
    passages = [passage for passage in corpus.values() if len(passage.sentences) > 1]
    made = made_pairs(passages, seeded(23), 16, frames=MEASURED)
    false = {pair.part: pair.label != 0 for pair in made}
    for kind in sorted(false, key=lambda kind: (false[kind], kind)):
        pairs = [pair for pair in made if pair.part == kind][:SEEN]
        supported = calibration.nli(scorer.of(pairs))[:, 0] >= calibration.thresholds["normal"].support
        changed = np.array([departs(pair.second, pair.first) for pair in pairs])
        true = not false[kind]
        ruled = supported & ~changed
        yield Swap(kind, true, len(pairs), float((supported == true).mean()), float((ruled == true).mean()))
