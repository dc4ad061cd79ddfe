"""Fits a calibration for the judges on the standard sets, and measures it on pairs that were not fitted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veridic.errors import UsageError
from veridic.models.calibrating import HEADS, Head, Which, measured, present_calibration, scaled, with_points
from veridic.models.calibration import Calibration
from veridic.models.drift import quantiles
from veridic.models.embedder import OnnxEmbedder
from veridic.models.fitting import COSTS, auc
from veridic.ports.embedding import Embedder
from veridic.settings import Settings
from veridic_lab.training.cases import QuestionCase, SentenceCase, question_cases, sentence_cases
from veridic_lab.training.curves import described
from veridic_lab.training.mixture import held_out_pairs
from veridic_lab.training.pairs import Pair, fraction_of
from veridic_lab.training.recipe import is_standard
from veridic_lab.training.scoring import Logits, RawScorer
from veridic_lab.training.thresholds import (
    QuestionDecisions,
    question_decisions,
    question_points,
    sentence_decisions,
    sentence_points,
)

PER_SET = 250


@dataclass(frozen=True)
class Fitted:
    """A calibration, and what it means in lines of text."""

    calibration: Calibration
    curves: tuple[str, ...] = ()


def fit(data: Path, settings: Settings, which: Which, *, out: Path) -> Fitted:
    """Fit scales and thresholds of the settings' judges on the decisions they serve; write and return them.

    Of the standard sets held-out rows alone are used, with decisions built over a merged corpus. Raises `UsageError`
    for another folder, and when both heads are asked for and have different weights: a file is one scorer's.
    """
    if not is_standard(data):
        raise UsageError(f"{data} holds no standard sets.", "On labelled pairs of your own: `veridic calibrate`.")
    scorer, heads = RawScorer.open(settings), HEADS[which]
    fingerprints = {scorer.fingerprint(name) for name in heads}
    if len(fingerprints) > 1:
        raise UsageError("Evaluator and critic are two models here.", "Fit each into a file of its own.")
    base = present_calibration(settings, fingerprints.pop())
    found = calibrated_on_standard(scorer, base, heads, data, OnnxEmbedder(threads=settings.threads))
    found.calibration.write(out)
    return found


def calibrated_on_standard(
    scorer: RawScorer, base: Calibration, heads: Sequence[Head], data: Path, embedder: Embedder
) -> Fitted:
    """The base with these heads fitted: scale on held-out pairs, thresholds on decisions over a merged corpus."""
    found = Fitted(scales(scorer, base, heads, held_out_pairs(data)))
    if "relevance" in heads:
        found = with_questions(scorer, found, question_cases(data, embedder))
    if "nli" in heads:
        found = with_sentences(scorer, found, sentence_cases(data))
    return found


def scales(
    scorer: RawScorer, base: Calibration, heads: Sequence[Head], held: Mapping[str, Sequence[Pair]]
) -> Calibration:
    """Scales and offsets from one half of the held-out keys; AUC and ECE from the other."""
    chosen = [pair for pairs in held.values() for pair in sample(pairs, PER_SET)]
    found = replace(base, fitted_on=sorted(held), date=datetime.now(UTC).date().isoformat())
    for head in heads:
        pairs = [pair for pair in chosen if pair.task == head]
        first = [pair for pair in pairs if fraction_of(f"fit:{pair.key}") < 0.5]
        second = [pair for pair in pairs if fraction_of(f"fit:{pair.key}") >= 0.5]
        found = scaled(found, head, scorer.of(first), [pair.label for pair in first])
        probabilities = positive(found, head, scorer.of(second))
        found = measured(found, head, [pair.positive for pair in second], probabilities)
    return found


def positive(calibration: Calibration, head: Head, logits: Logits) -> NDArray[np.float64]:
    """Probabilities of relevance, of usefulness, or of entailment."""
    found = calibration.of(head, logits)
    return found[:, 0] if head == "nli" else found


def with_questions(scorer: RawScorer, base: Fitted, questions: Sequence[QuestionCase]) -> Fitted:
    """The base with the thresholds that decide about passages."""
    calibration = base.calibration
    found = decided(scorer, calibration, questions)
    calibration = measured(calibration, "question", found.answerable, found.best)
    calibration = with_points(calibration, {name: question_points(found, costs) for name, costs in COSTS.items()})
    calibration = replace(calibration, quantiles={**calibration.quantiles, "question": quantiles(found.best)})
    ranks = {"answer": auc(found.answer_right, found.answer_useful), "strip": auc(found.strip_holds, found.strip_score)}
    calibration = replace(calibration, auc={**calibration.auc, **{k: round(v, 4) for k, v in ranks.items()}})
    point = calibration.thresholds["normal"]
    actions = {"correct": point.upper, "ambiguous": point.lower, "incorrect": -np.inf}
    kinds = ("answerable", "unanswerable")
    strips = {"kept": point.strip, "dropped": -np.inf}
    given = {"given": point.abstention, "withheld": -np.inf}
    return Fitted(
        calibration,
        (
            *base.curves,
            *described("questions, by the best of what is retrieved", kinds, found.answerable, found.best, actions),
            *described("strips", ("with answer", "without"), found.strip_holds, found.strip_score, strips),
            *described("answers, the best strip", ("right", "wrong"), found.answer_right, found.answer_useful, given),
        ),
    )


def decided(scorer: RawScorer, calibration: Calibration, questions: Sequence[QuestionCase]) -> QuestionDecisions:
    """The decisions about passages and answers under a calibration."""
    return question_decisions(
        questions,
        lambda pairs: calibration.relevance(scorer.relevance(pairs)),
        lambda pairs: calibration.usefulness(scorer.usefulness(pairs)),
    )


def with_sentences(scorer: RawScorer, base: Fitted, sentences: Sequence[SentenceCase]) -> Fitted:
    """The base with the thresholds that decide about sentences."""
    calibration = base.calibration
    found = sentence_decisions(sentences, lambda pairs: calibration.nli(scorer.nli(pairs)))
    calibration = measured(calibration, "sentence", found.supported, found.support)
    calibration = with_points(calibration, {name: sentence_points(found, costs) for name, costs in COSTS.items()})
    verdicts = {"supported": calibration.thresholds["normal"].support, "not supported": -np.inf}
    lines = described("sentences, by their best premise", ("true", "false"), found.supported, found.support, verdicts)
    return Fitted(calibration, (*base.curves, *lines))


def sample(pairs: Sequence[Pair], count: int) -> list[Pair]:
    """At most so many pairs, drawn with a fixed seed."""
    order = np.random.default_rng(3).permutation(len(pairs))[:count]
    return [pairs[i] for i in order]
