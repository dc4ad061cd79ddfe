"""A new judge in the old one's place, only where it is better; and the way back."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from veridic.errors import UsageError
from veridic.models.calibration import Calibration
from veridic.settings import Settings
from veridic_lab.training.calibrate import positive
from veridic_lab.training.metrics import auc, expected_calibration_error, mean_of
from veridic_lab.training.pairs import Pair
from veridic_lab.training.scoring import RawScorer

WORST = 0.02
"""How much AUC a single set may lose."""
MAX_ECE = 0.05
FEWEST = 20
"""Pairs that a set needs to be compared."""
PREVIOUS = ".previous"


@dataclass(frozen=True)
class Compared:
    """One set under the old judge and the new."""

    name: str
    pairs: int
    old: float
    new: float


@dataclass(frozen=True)
class Verdict:
    """Whether the new judge may take the old one's place, and why not."""

    sets: tuple[Compared, ...]
    ece: float
    objections: tuple[str, ...]

    @property
    def promoted(self) -> bool:
        """No objection."""
        return not self.objections


def compare(old: Path, new: Path, sets: Mapping[str, Sequence[Pair]], *, threads: int = 0) -> Verdict:
    """Both folders on held-out pairs by AUC; calibration by the pooled ECE of the new.

    The new one is better when the mean AUC rises, no set loses more than 0.02 and the ECE is
    at most 0.05. Raises `UsageError` when no set has 20 pairs of both classes.
    """
    judges = [_Calibrated(folder, threads) for folder in (old, new)]
    found: list[Compared] = []
    truth: list[bool] = []
    probabilities: list[float] = []
    for name, pairs in sets.items():
        labels = [pair.positive for pair in pairs]
        if len(pairs) < FEWEST or len(set(labels)) < 2:
            continue
        before, after = (judge.of(pairs) for judge in judges)
        found.append(Compared(name, len(pairs), auc(labels, before), auc(labels, after)))
        truth += labels
        probabilities += after.tolist()
    if not found:
        raise UsageError(
            "There are no held-out pairs to compare the judges on.", f"A set needs {FEWEST} of both classes."
        )
    error = expected_calibration_error(truth, probabilities)
    return Verdict(tuple(found), error, tuple(_objections(found, error)))


def _objections(found: Sequence[Compared], ece: float) -> Iterator[str]:
    if mean_of([one.new for one in found]) <= mean_of([one.old for one in found]):
        yield "its mean AUC is not higher"
    for one in found:
        if one.new < one.old - WORST:
            yield f"it loses {one.old - one.new:.3f} AUC on {one.name}"
    if ece > MAX_ECE:
        yield f"its calibration error is {ece:.3f}, more than {MAX_ECE}"


class _Calibrated:
    """Probabilities of one folder's judge."""

    def __init__(self, folder: Path, threads: int) -> None:
        self._scorer = RawScorer.open(Settings(judge=str(folder), threads=threads or 1))
        self._calibration = Calibration.read(folder / "calibration.json", self._scorer.fingerprint("relevance"))

    def of(self, pairs: Sequence[Pair]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        return positive(self._calibration, pairs[0].task, self._scorer.of(pairs))


def promote(new: Path, place: Path) -> None:
    """Copy a judge to the place that VERIDIC_JUDGE names; what was there stays beside it for `roll_back`."""
    staging = place.with_name(f"{place.name}.new")
    shutil.rmtree(staging, ignore_errors=True)
    shutil.copytree(new, staging)
    if place.exists():
        previous = place.with_name(place.name + PREVIOUS)
        shutil.rmtree(previous, ignore_errors=True)
        place.rename(previous)
    staging.rename(place)


def roll_back(place: Path) -> None:
    """Put back the judge that a promotion replaced. Raises `UsageError` when there is none."""
    previous = place.with_name(place.name + PREVIOUS)
    if not previous.is_dir():
        raise UsageError(f"There is no judge before the one in {place}.", "Unset VERIDIC_JUDGE to use the shipped one.")
    shutil.rmtree(place, ignore_errors=True)
    previous.rename(place)
