"""Fits a calibration for a judge, and measures it on pairs that were not fitted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np

from veridic.models.calibration import Calibration
from veridic.training.cases import QuestionCase, SentenceCase
from veridic.training.fitting import fit_binary, fit_three
from veridic.training.metrics import auc, expected_calibration_error
from veridic.training.pairs import Pair, fraction_of
from veridic.training.scoring import RawScorer
from veridic.training.thresholds import Decisions, decisions, thresholds_of

PER_SET = 250


def scales(scorer: RawScorer, held: Mapping[str, Sequence[Pair]]) -> Calibration:
    """Scales and offsets from one half of the held-out keys; AUC and ECE from the other."""
    fit = Calibration.identity(scorer.judge.fingerprint)
    scale, offset = dict(fit.scale), dict(fit.offset)
    aucs: dict[str, float] = {}
    errors: dict[str, float] = {}
    chosen = [pair for pairs in held.values() for pair in _sample(pairs)]
    for head in ("relevance", "nli"):
        pairs = [pair for pair in chosen if pair.task == head]
        first = [pair for pair in pairs if fraction_of(f"fit:{pair.key}") < 0.5]
        second = [pair for pair in pairs if fraction_of(f"fit:{pair.key}") >= 0.5]
        labels = [pair.label for pair in first]
        if head == "relevance":
            scale[head], shift = fit_binary(scorer.of(first), labels)
            offset[head] = [shift]
        else:
            scale[head], offset[head] = fit_three(scorer.of(first), labels)
        fitted = _with(fit, scale, offset)
        truth = [pair.positive for pair in second]
        logits = scorer.of(second)
        probabilities = fitted.relevance(logits) if head == "relevance" else fitted.nli(logits)[:, 0]
        aucs[head] = round(auc(truth, probabilities), 4)
        errors[head] = round(expected_calibration_error(truth, probabilities), 4)
    return _with(fit, scale, offset, auc=aucs, ece=errors, fitted_on=sorted(held))


def calibrated(
    scorer: RawScorer, base: Calibration, questions: Sequence[QuestionCase], sentences: Sequence[SentenceCase]
) -> tuple[Calibration, Decisions]:
    """The base with thresholds fitted on decisions, and the decisions' scores."""
    found = decisions(
        questions,
        sentences,
        lambda pairs: base.relevance(scorer.relevance(pairs)),
        lambda pairs: base.nli(scorer.nli(pairs)),
    )
    aucs = dict(base.auc)
    aucs["question"] = round(auc(found.answerable, found.question_best), 4)
    aucs["answer"] = round(auc(found.answerable, found.answer_best), 4)
    aucs["strip"] = round(auc(found.strip_holds, found.strip_score), 4)
    aucs["sentence"] = round(auc(found.supported, found.support_best), 4)
    errors = dict(base.ece)
    errors["question"] = round(expected_calibration_error(found.answerable, found.question_best), 4)
    errors["sentence"] = round(expected_calibration_error(found.supported, found.support_best), 4)
    today = datetime.now(UTC).date().isoformat()
    return replace(base, thresholds=thresholds_of(found), auc=aucs, ece=errors, date=today), found


def _sample(pairs: Sequence[Pair]) -> list[Pair]:
    order = np.random.default_rng(3).permutation(len(pairs))[:PER_SET]
    return [pairs[i] for i in order]


def _with(
    base: Calibration, scale: Mapping[str, float], offset: Mapping[str, list[float]], **more: object
) -> Calibration:
    values: dict[str, Any] = {"scale": dict(scale), "offset": dict(offset), **more}
    return replace(base, **values)
