"""Fits a calibration for the judges on the standard sets, on the decisions that they are to make in the graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veridic.errors import UsageError
from veridic.evidence.evidence import departs
from veridic.models.by_settings import present_calibration
from veridic.models.calibrating import (
    HEADS,
    Head,
    Labelled,
    Which,
    decided,
    measured,
    scaled,
    with_points,
)
from veridic.models.calibration import Calibration
from veridic.models.embedder import OnnxEmbedder
from veridic.models.fitting import COSTS, balanced_cut, within
from veridic.ports.embedding import Embedder
from veridic.settings import Settings
from veridic_lab.training.cases import QuestionCase, SentenceCase, question_cases, sentence_cases
from veridic_lab.training.mixture import held_out_pairs
from veridic_lab.training.pairs import Pair, fraction_of
from veridic_lab.training.recipe import is_standard
from veridic_lab.training.scoring import Logits, RawScorer

PER_SET = 250
BEST = 3
"""Of so many retrieved passages the strips are judged."""


def fit(data: Path, settings: Settings, which: Which, *, out: Path) -> Calibration:
    """Fit scales and thresholds of the settings' judges, held-out rows of the standard sets alone; write them.

    Raises `UsageError` for another folder, and when both heads are asked for and have different weights: a file is
    one scorer's.
    """
    if not is_standard(data):
        raise UsageError(f"{data} holds no standard sets.", "On labelled pairs of your own: `veridic calibrate`.")
    scorer, heads = RawScorer.open(settings), HEADS[which]
    fingerprints = {scorer.fingerprint(name) for name in heads}
    if len(fingerprints) > 1:
        raise UsageError("Evaluator and critic are two models here.", "Fit each into a file of its own.")
    base = present_calibration(settings, fingerprints.pop())
    found = fitted(scorer, base, heads, data, OnnxEmbedder(threads=settings.threads))
    found.write(out)
    return found


def fitted(scorer: RawScorer, base: Calibration, heads: Sequence[Head], data: Path, embedder: Embedder) -> Calibration:
    """The base with these heads fitted: scale on held-out pairs, thresholds on decisions over a merged corpus."""
    found = scales(scorer, base, heads, held_out_pairs(data))
    if "relevance" in heads:
        cases = question_cases(data, embedder)
        passages, strips = list(_passages(cases)), list(_strips(cases))
        found = decided(found, "relevance", passages, scorer.labelled("relevance", passages))
        found = decided(found, "usefulness", strips, scorer.labelled("usefulness", strips))
        found = with_strips(found, strips, scorer.labelled("relevance", strips))
    if "nli" in heads:
        premises = list(_premises(sentence_cases(data)))
        found = decided(found, "nli", premises, scorer.labelled("nli", premises))
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


def with_strips(base: Calibration, strips: Sequence[Labelled], logits: Logits) -> Calibration:
    """The base with the point from which a strip is kept."""
    truth, scores = [pair.positive for pair in strips], base.relevance(logits)
    points = {name: within(strip=balanced_cut(truth, scores, costs.strip)) for name, costs in COSTS.items()}
    return with_points(base, points)


def _passages(cases: Sequence[QuestionCase]) -> Iterator[Labelled]:
    """What each question retrieves, and whether it is what answers it."""
    for case in cases:
        for chunk in case.chunks:
            label = int(case.answerable and chunk.key in case.question.gold)
            yield Labelled(case.question.text, chunk.text, label, asks=True)


def _strips(cases: Sequence[QuestionCase]) -> Iterator[Labelled]:
    """The strips of the first passages, and whether they answer."""
    for case in cases:
        for strip in (strip for chunk in case.chunks[:BEST] for strip in chunk.strips):
            yield Labelled(case.question.text, strip, int(case.answerable and case.question.given_by(strip)), asks=True)


def _premises(cases: Sequence[SentenceCase]) -> Iterator[Labelled]:
    """Each sentence beside those of its premises that it does not depart from, as the graph counts them."""
    for case in cases:
        for premise in case.premises:
            if not departs(case.sentence, premise):
                yield Labelled(premise, case.sentence, case.label, asks=False)


def positive(calibration: Calibration, head: Head, logits: Logits) -> NDArray[np.float64]:
    """Probabilities of relevance, of usefulness, or of entailment."""
    found = calibration.of(head, logits)
    return found[:, 0] if head == "nli" else found


def sample(pairs: Sequence[Pair], count: int) -> list[Pair]:
    """At most so many pairs, drawn with a fixed seed."""
    order = np.random.default_rng(3).permutation(len(pairs))[:count]
    return [pairs[i] for i in order]
