"""Fits P(supported) of two readings, of a whole premise and of its nearest sentence, on the hand that fits.

`python -m veridic_lab.drafts.supporting FOLDER` writes the weights, and where a statement counts as supported, into the
`calibration.json` of an exported base judge.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from veridic.models.by_settings import open_judges
from veridic.models.calibrating import with_points
from veridic.models.calibration import Calibration
from veridic.models.fitting import auc
from veridic.models.onnx_encoder import OnnxEncoder
from veridic.models.scorers import TrainedCritic
from veridic.ports.judgements import Strictness, log_odds
from veridic.settings import Settings
from veridic.text.answers import nearest_sentence
from veridic.text.sentences import sentences
from veridic_lab.benchmarks.asking import say
from veridic_lab.drafts.examples import Example, of_drafts
from veridic_lab.drafts.hands import documents

NEVER = float("inf")
FOLDS = 8
SAYS = 5
"""Words of a statement that says something without its question."""
SUPPORT: Mapping[Strictness, float] = {"loose": 0.5, "normal": 0.67, "strict": 0.8}
"""P from which a statement is supported: where a false one costs one, two and four true ones that are not."""


def said_of(base: TrainedCritic, found: Sequence[Example]) -> np.ndarray:
    """Log-odds of entailment [n, 2] by the whole premise and by its sentence nearest to the statement."""
    said = [
        one.entailment
        for question, group in groupby(found, key=lambda one: one.question)
        for one in base.hearing(question).judge([pair for each in group for pair in _pairs(each)], deadline=NEVER)
    ]
    return np.array([log_odds(one) for one in said]).reshape(-1, 2)


def _pairs(one: Example) -> list[tuple[str, str]]:
    return [(one.premise, one.own), (nearest_sentence(one.own, one.premise), one.own)]


def fitted(signs: np.ndarray, true: np.ndarray, own: Sequence[str]) -> tuple[list[float], dict[str, float]]:
    """Intercept and weights, and the AUC of the first reading and of both, documents held out in turn."""
    even = {"class_weight": "balanced", "max_iter": 1000}
    both = np.zeros(len(true))
    for learned, left in GroupKFold(FOLDS).split(signs, true, own):
        both[left] = LogisticRegression(**even).fit(signs[learned], true[learned]).decision_function(signs[left])
    whole = LogisticRegression(**even).fit(signs, true)
    weights = [round(float(one), 4) for one in (whole.intercept_[0], *whole.coef_[0])]
    return weights, {"premise": round(auc(true, signs[:, 0]), 4), "both": round(auc(true, both), 4)}


def _is_judged(one: Example) -> bool:
    """Whether it is a sentence, as answers are judged, and says something without its question."""
    return len(sentences(one.own)) == 1 and len(one.own.split()) >= SAYS


def main() -> None:
    """Fit, write, and say what was found."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("folder", type=Path)
    folder: Path = options.parse_args().folder
    path = folder / "calibration.json"
    once = replace(Calibration.read(path, OnnxEncoder(folder).fingerprint), nearest=[])
    once.write(path)
    _, base = open_judges(Settings(judge=str(folder)))
    found = [one for one in of_drafts(documents("fit")) if _is_judged(one)]
    signs = said_of(base, found)
    weights, measured = fitted(signs, np.array([one.label == 0 for one in found]), [one.key for one in found])
    points: dict[Strictness, dict[str, float]] = {name: {"support": point} for name, point in SUPPORT.items()}
    replace(with_points(once, points), nearest=weights).write(path)
    say(json.dumps({"nearest": weights, "n": len(found), "auc": measured}))


if __name__ == "__main__":
    main()
