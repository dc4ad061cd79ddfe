"""From which probability what is told keeps a promise: its precision, by the lower bound of its interval."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from veridic.errors import UsageError
from veridic.models.calibration import NEVER
from veridic.models.fitting import Floats, auc, expected_calibration_error, fit_binary, resamples, sigmoid
from veridic.models.reader_calibration import ReaderCalibration
from veridic.ports.judgements import Strictness, log_odds
from veridic.text.kinds import ANSWER_KINDS

PROMISED: Mapping[Strictness, float] = {"loose": 0.9, "normal": 0.95, "strict": 0.98}
"""Precision of what is verified, by the lower bound of its interval."""
FEWEST = 100
"""What is verified of a kind, without which nothing is promised of it."""
FEWEST_JUDGED = 30
"""Answers that people judged, without which P is not fitted to them."""
ADDED = tuple(range(-3, 4))
"""Log-odds of the answers that are added to those that people judged. Of 34 collections, 36 answers each, the
calibration error on those of other hands falls from .140 to .054; from 175 on to .045."""
EVEN = 0.5
"""No promise is kept under this probability: what is verified is likelier right than not."""
STEP = 0.005
"""From one point that is tried to the next."""
DRAWN = 400
"""Draws of documents for an interval."""
ONE_SIDED = 5
"""Per cent of the draws that may lie beyond a bound."""


@dataclass(frozen=True)
class Sure:
    """What was told: how probable it is, whether it is right, its document, and what it counts; one number each."""

    sure: Floats
    right: NDArray[np.bool_]
    own: NDArray[np.str_]
    counts: Floats

    @classmethod
    def of(cls, told: Iterable[tuple[float, bool, str]]) -> Self:
        """Answers that count alike: of each how probable it is, whether it is right, and its document."""
        rows = list(told)
        sure, right, own = (np.array([row[at] for row in rows]) for at in range(3))
        return cls(sure, right, own, np.ones(len(rows)))

    def promising(self, least: float, *, fewest: int = FEWEST, lowest: float = EVEN) -> float:
        """The lowest P above which precision is at least so high by its lower bound; `NEVER` where there is none.

        So it is where fewer than `fewest` lie above it. No point is under `lowest`.
        """
        for point in np.arange(lowest, 1.0, STEP):
            if (self.sure >= point).sum() < fewest:
                break
            if self._bound(point, ONE_SIDED) >= least:
                return round(float(point), 4)
        return NEVER

    def refutes(self, point: float, least: float) -> bool:
        """Whether precision above a point is lower than that by the upper bound of its interval."""
        return bool((self.sure >= point).any()) and self._bound(point, 100 - ONE_SIDED) < least

    def scaling(self) -> tuple[float, float]:
        """Scale and offset that make the log-odds of P those of being right, the answers that are `ADDED` with them."""
        logits = [log_odds(one) for one in self.sure]
        return fit_binary([*logits, *ADDED], [*self.right, *sigmoid(ADDED)])

    def moved(self, scale: float, offset: float) -> Self:
        """The same answers with their log-odds scaled and shifted."""
        return replace(self, sure=sigmoid(scale * np.array([log_odds(one) for one in self.sure]) + offset))

    def figures(self, point: float) -> dict[str, float]:
        """The AUC, and of what lies above a point its number, precision and the share of true and false ones there."""
        above = self.sure >= point
        return {
            "auc": round(auc(self.right, self.sure), 4) if len(set(self.right)) > 1 else 0.0,
            "n": int(above.sum()),
            "precision": round(float(np.nan_to_num(self._precision(point, np.ones((1, len(above)))))[0]), 4),
            "least": round(self._bound(point, ONE_SIDED), 4),
            "true verified": _share(above[self.right]),
            "false verified": _share(above[~self.right]),
        }

    @cached_property
    def _drawn(self) -> Floats:
        return resamples([*self.own], number=DRAWN)

    def _bound(self, point: float, per_cent: float) -> float:
        """A percentile of precision above a point, documents drawn anew; 0 where nothing lies there."""
        found = self._precision(point, self._drawn)
        known = found[~np.isnan(found)]
        return float(np.percentile(known, per_cent)) if len(known) else 0.0

    def _precision(self, point: float, weights: Floats) -> Floats:
        counted = self.counts * (self.sure >= point)
        total = weights @ counted
        return np.where(total > 0, weights @ (counted * self.right) / np.where(total > 0, total, 1.0), np.nan)


def _share(of: NDArray[np.bool_]) -> float:
    return round(float(of.mean()), 4) if len(of) else 0.0


def promising(found: Sure, calibration: ReaderCalibration) -> ReaderCalibration:
    """The calibration with the points from which the promise of each strictness is kept, and what was measured."""
    points: dict[str, float] = {name: found.promising(least) for name, least in PROMISED.items()}
    return _with_points(calibration, points, found.figures(points["normal"]))


def fitted_to(found: Sure, calibration: ReaderCalibration) -> ReaderCalibration:
    """The calibration with P scaled to answers that people judged, by their P of before, and with points of their own.

    To these are added a few that are right as often as P said, so that a few that are all right make nothing certain. A
    promise that a hundred of them do not keep stays as it was, at the same answers, unless they refute it. Raises
    `UsageError` where fewer than `FEWEST_JUDGED` were judged.
    """
    if len(found.sure) < FEWEST_JUDGED:
        raise UsageError(
            f"{len(found.sure)} answers can be fitted to, and {FEWEST_JUDGED} are needed.",
            "Say of more answers whether they are right: `veridic feedback RUN up`, `down` or what is right.",
        )
    scale, offset = found.scaling()
    moved, own = calibration.moved(scale, offset), found.moved(scale, offset)
    points: dict[str, float] = {name: _kept(own, moved, name, least) for name, least in PROMISED.items()}
    told = replace(
        moved,
        ece=round(expected_calibration_error(own.right, own.sure), 4),
        fitted_on={**moved.fitted_on, "answers that people judged": len(own.sure)},
    )
    if points["normal"] < NEVER and own.promising(PROMISED["normal"]) == NEVER:
        return _with_points(told, points, told.measured, date=told.date)
    return _with_points(told, points, own.figures(points["normal"]))


def _kept(own: Sure, moved: ReaderCalibration, strictness: Strictness, least: float) -> float:
    """The point of a strictness: that of people's answers, else that of before, unless these refute it."""
    before = moved.quoted.get(strictness, NEVER)
    found = own.promising(least)
    return found if found < NEVER or own.refutes(before, least) else before


def _with_points(
    calibration: ReaderCalibration,
    points: Mapping[str, float],
    measured: Mapping[str, float],
    *,
    date: str | None = None,
) -> ReaderCalibration:
    """One point of each strictness for all that is read and quoted; yes and no are promised nothing."""
    kinds = [kind for kind in ANSWER_KINDS if kind != "yes-no"]
    return replace(
        calibration,
        verified={name: {**dict.fromkeys(kinds, point), "yes-no": NEVER} for name, point in points.items()},
        quoted=points,
        measured=measured,
        date=date or datetime.now(UTC).date().isoformat(),
    )
