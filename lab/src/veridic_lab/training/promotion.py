"""A new judge or reader in the old one's place, only where it is better; and the way back."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from veridic.errors import UsageError
from veridic.models.fitting import auc, expected_calibration_error
from veridic.models.onnx_encoder import SHIPPED
from veridic.models.reader import OnnxReader
from veridic.settings import Settings
from veridic_lab.training.log import read_log
from veridic_lab.training.metrics import mean_of
from veridic_lab.training.pairs import Pair, held_out
from veridic_lab.training.reading.asked import held_out_readings
from veridic_lab.training.reading.measuring import measured as reads
from veridic_lab.training.reading.rows import Reading
from veridic_lab.training.scoring import Judges, sample
from veridic_lab.training.splits import by_source, held_out_of

WORST = 0.02
"""How much AUC a single set may lose."""
MAX_ECE = 0.05
FEWEST = 20
"""Pairs that a set needs to be compared."""
FEWEST_READINGS = 100
COMPARED = 400
"""Pairs of a set that two judges are compared on."""
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


def promote_judge(new: Path, place: Path, data: Path | None, log: Path | None, *, threads: int) -> Verdict:
    """Compare a judge with the one in its future place, or with the shipped one, and put it there if it is better.

    They are compared on the held-out rows of a data folder and of a log.
    """
    found = compare_judges(_old(place, "judge"), new, held_out_sets(data, log), threads=threads)
    return _put_if_better(new, place, found)


def held_out_sets(data: Path | None, log: Path | None) -> dict[str, list[Pair]]:
    """What judges are compared on, by set."""
    found = held_out_of(data) if data else {}
    if log:
        found |= by_source(pair for pair in read_log(log).people if held_out(pair.key))
    return {name: sample(pairs, COMPARED) for name, pairs in found.items()}


def promote_reader(new: Path, place: Path, data: Path, *, threads: int) -> Verdict:
    """The same of a reader, compared on the held-out readings of a data folder."""
    old = OnnxReader(_old(place, "reader"), threads=threads)
    found = compare_readers(old, OnnxReader(new, threads=threads), held_out_readings(data))
    return _put_if_better(new, place, found)


def _old(place: Path, kind: str) -> Path:
    return place if place.is_dir() else SHIPPED / kind


def _put_if_better(new: Path, place: Path, found: Verdict) -> Verdict:
    if found.promoted:
        put(new, place)
    return found


def compare_readers(old: OnnxReader, new: OnnxReader, sets: Mapping[str, Sequence[Reading]]) -> Verdict:
    """Both on held-out rows: F1 of spans, balanced accuracy of decisions. Raises `UsageError` for too few rows."""
    found: list[Compared] = []
    for name, rows in sets.items():
        after = reads(new, rows) if len(rows) >= FEWEST_READINGS else {}
        if measure := next((name for name in ("f1", "decision") if name in after), None):
            found.append(Compared(name, len(rows), reads(old, rows)[measure], after[measure]))
    if not found:
        raise UsageError("There are no held-out readings to compare on.", f"A set needs {FEWEST_READINGS}.")
    return Verdict(tuple(found), new.calibration.ece, tuple(_worse(found, "")))


def compare_judges(old: Path, new: Path, sets: Mapping[str, Sequence[Pair]], *, threads: int = 0) -> Verdict:
    """Both folders on held-out pairs by AUC; calibration by the pooled ECE of the new.

    The new one is better when the mean AUC rises, no set loses more than 0.02 and the ECE is
    at most 0.05. Raises `UsageError` when no set has 20 pairs of both classes.
    """
    judges = [Judges(Settings(judge=str(folder), threads=threads or 1)) for folder in (old, new)]
    found: list[Compared] = []
    truth: list[bool] = []
    probabilities: list[float] = []
    for name, pairs in sets.items():
        labels = [pair.positive for pair in pairs]
        if len(pairs) < FEWEST or len(set(labels)) < 2:
            continue
        before, after = (judge.probabilities(pairs) for judge in judges)
        found.append(Compared(name, len(pairs), auc(labels, before), auc(labels, after)))
        truth += labels
        probabilities += after.tolist()
    if not found:
        raise UsageError(
            "There are no held-out pairs to compare the judges on.", f"A set needs {FEWEST} of both classes."
        )
    error = expected_calibration_error(truth, probabilities)
    uncalibrated = [f"its calibration error is {error:.3f}, more than {MAX_ECE}"] if error > MAX_ECE else []
    return Verdict(tuple(found), error, (*_worse(found, "AUC "), *uncalibrated))


def _worse(found: Sequence[Compared], measure: str) -> Iterator[str]:
    if mean_of([one.new for one in found]) <= mean_of([one.old for one in found]):
        yield f"its mean {measure}is not higher"
    for one in found:
        if one.new < one.old - WORST:
            yield f"it loses {one.old - one.new:.3f} {measure}on {one.name}"


def put(new: Path, place: Path) -> None:
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
