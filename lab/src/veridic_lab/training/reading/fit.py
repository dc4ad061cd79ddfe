"""Fits P(the short answer is right) on questions that were asked of a knowledge base."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from sklearn.linear_model import LogisticRegression

from veridic.errors import UsageError
from veridic.models.by_settings import open_reader
from veridic.models.fitting import auc, expected_calibration_error
from veridic.models.promise import PROMISED, Sure
from veridic.models.reader_calibration import ReaderCalibration, signs_of
from veridic.settings import Settings
from veridic.text.kinds import ANSWER_KINDS, AnswerKind
from veridic_lab.training.pairs import fraction_of
from veridic_lab.training.reading.asked import asked_rows
from veridic_lab.training.reading.cases import AnswerCase, answer_cases

NEEDED: Mapping[str, float] = {"loose": 0.5, "normal": 0.67, "strict": 0.8}
"""Where a wrong short answer that is told costs one, two and four right ones: P >= cost / (1 + cost)."""
FEWEST = 100
"""Rows that a calibration needs."""
KINDS: list[tuple[AnswerKind, bool]] = [(kind, kind == "yes-no") for kind in ANSWER_KINDS]
"""Every kind of question, and whether yes or no answers it."""
INVERSE_PENALTY = 0.5
"""scikit-learn's C of the kinds' own intercepts: kinds with few questions stay near the others."""


def fit(data: Path, settings: Settings, *, out: Path) -> ReaderCalibration:
    """Fit P(the short answer is right) of the settings' reader by asking labelled questions of a knowledge base.

    A folder with the standard sets is used as it is meant, held-out rows only; of any other folder every
    `*.reader.jsonl` row. Raises `UsageError` for fewer than `FEWEST` rows.
    """
    rows, others = asked_rows(data)
    if len(rows) < FEWEST:
        raise UsageError(f"{data} has {len(rows)} labelled readings.", f"At least {FEWEST} are needed.")
    reader = open_reader(settings, calibrated=False)
    with TemporaryDirectory() as folder:
        cases = answer_cases(rows, others, reader, settings, Path(folder))
    if not cases:
        raise UsageError(f"For none of the questions in {data} was a text found that helps to answer.")
    found = fitted(cases, reader.fingerprint)
    found.write(out)
    return found


def summary(calibration: ReaderCalibration) -> Iterator[str]:
    """A calibration in a few lines."""
    yield f"reader {calibration.fingerprint}, fitted {calibration.date}"
    yield f"AUC {calibration.auc:.3f}, ECE {calibration.ece:.3f}"
    yield f"asked: {', '.join(f'{name} {count}' for name, count in calibration.fitted_on.items())}"
    for kind, weights in calibration.weights.items():
        yield f"{kind:<13} " + "  ".join(f"{weight:+.3f}" for weight in weights)


def fitted(cases: Sequence[AnswerCase], fingerprint: str) -> ReaderCalibration:
    """The calibration of all cases; AUC and ECE of each half's answers under the fit of the other half."""
    halves = [[case for case in cases if (fraction_of(f"half:{case.key}") < 0.5) == side] for side in (True, False)]
    told = list[tuple[bool, str, float, bool]]()
    for own, other in (halves, halves[::-1]):
        measured = _calibration(own, fingerprint)
        told += [(case.kind == "yes-no", case.key, *_chosen(case, measured)) for case in other if case.short]
    polar, keys, sure, truth = (np.array(column) for column in zip(*told, strict=True))
    of_kind = {
        decides: Sure(sure[own], truth[own], keys[own], np.ones(own.sum()))
        for decides in (True, False)
        for own in [polar == decides]
    }
    points: dict[str, dict[str, float]] = {
        name: {kind: of_kind[decides].promising(share) for kind, decides in KINDS} for name, share in PROMISED.items()
    }
    return replace(
        _calibration(cases, fingerprint),
        verified=points,
        measured=of_kind[False].figures(of_kind[False].promising(PROMISED["normal"])),
        auc=round(auc(truth, sure), 4),
        ece=round(expected_calibration_error(truth, sure), 4),
    )


def _calibration(cases: Sequence[AnswerCase], fingerprint: str) -> ReaderCalibration:
    weights: dict[str, list[float]] = {}
    for polar in (False, True):
        own = [case for case in cases if case.short and (case.kind == "yes-no") == polar]
        kinds: list[AnswerKind] = [kind for kind in ANSWER_KINDS if (kind == "yes-no") == polar]
        weights |= _group(own, kinds)
    return ReaderCalibration(
        fingerprint=fingerprint,
        weights=weights,
        needed={name: dict.fromkeys(ANSWER_KINDS, point) for name, point in NEEDED.items()},
        auc=0.0,
        ece=1.0,
        fitted_on=dict(Counter(case.source for case in cases)),
        date=datetime.now(UTC).date().isoformat(),
    )


def _group(cases: Sequence[AnswerCase], kinds: Sequence[AnswerKind]) -> dict[str, list[float]]:
    """Weights of the signs from every answer considered, then scale and intercept by kind from those chosen."""
    rows = np.array([signs_of(signs) for case in cases for signs, _ in case.found])
    truth = [right for case in cases for _, right in case.found]
    if len(set(truth)) < 2:
        return {}
    first = LogisticRegression(C=1.0, max_iter=1000).fit(rows, truth)
    weights, intercept = first.coef_[0], float(first.intercept_[0])
    best = [max(case.found, key=lambda one: float(np.dot(weights, signs_of(one[0])))) for case in cases]
    logits = np.array([np.dot(weights, signs_of(signs)) + intercept for signs, _ in best])
    right = [one for _, one in best]
    if len(set(right)) < 2:
        return {}
    own = np.array([[case.kind == kind for kind in kinds] for case in cases], dtype=float)
    second = LogisticRegression(C=INVERSE_PENALTY, max_iter=1000).fit(np.column_stack([logits, own]), right)
    scale, *shifts = (float(one) for one in second.coef_[0])
    base = scale * intercept + float(second.intercept_[0])
    own_weights = np.round(scale * weights, 4).tolist()
    return {kind: [round(base + shift, 4), *own_weights] for kind, shift in zip(kinds, shifts, strict=True)}


def _chosen(case: AnswerCase, calibration: ReaderCalibration) -> tuple[float, bool]:
    sure = [(calibration.confidence(case.kind, signs), right) for signs, right in case.found]
    return max(sure, key=lambda one: one[0])
