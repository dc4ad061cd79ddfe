"""Both judges on every labelled set: what was held out of training, and what was never trained on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veridic.models.calibration import Calibration
from veridic.models.fitting import auc, expected_calibration_error
from veridic.ports.embedding import Embedder
from veridic_lab.training.calibrate import decided
from veridic_lab.training.cases import question_cases
from veridic_lab.training.metrics import balanced_accuracy, overlap
from veridic_lab.training.mixture import held_out_pairs, is_test
from veridic_lab.training.pairs import NLI_LABELS, Pair, find, normalised, read_pairs, read_rows
from veridic_lab.training.scoring import RawScorer

LIMIT = 600
"""Pairs of a set that are scored, drawn with a fixed seed."""

CRITIC_SETS = (
    ("mnli", "mnli.nli", "held out"),
    ("snli", "snli.nli", "held out"),
    ("scifact", "scifact.nli", "dev"),
    ("factcheck_gpt", "factcheck_gpt.nli", "held out"),
    ("contract_nli", "contract_nli.nli", "held out"),
    ("attribution_bench", "attribution_bench.grounded", "held out"),
    ("begin", "begin.grounded", "held out"),
    ("halueval_qa", "halueval_qa.grounded", "held out"),
    ("fever_symmetric", "fever_symmetric.nli", "untrained"),
    ("breaking_nli", "breaking_nli.nli", "untrained"),
    ("med", "med.nli", "untrained"),
    ("mtrag", "mtrag.grounded", "untrained"),
)
EVALUATOR_SETS = ("qnli", "clapnq", "qed", "stackexchange", "selqa", "musique", "hotpotqa", "2wiki", "ramdocs")
UNTRAINED = ("ramdocs",)


@dataclass(frozen=True)
class Line:
    """One set's result."""

    name: str
    kind: str
    pairs: int
    three_way: float | None
    balanced: float
    ranking: float
    lexical: float
    ece: float


def critic_lines(folder: Path, scorer: RawScorer, calibration: Calibration) -> Iterator[Line]:
    """Each critic set: three-way accuracy where labels have three, and supported against the rest."""
    support = calibration.thresholds["normal"].support
    sets = [(name, kind, measured_pairs(folder, name, stem, kind)) for name, stem, kind in CRITIC_SETS]
    for name, kind, pairs in (*sets, ("answered", "held out", _drawn(held_out_pairs(folder)["answered"], LIMIT))):
        rows = calibration.nli(scorer.of(pairs))
        labels = np.array([pair.label for pair in pairs])
        three = float((rows.argmax(1) == labels).mean()) if labels.max() < 3 and 1 in labels else None
        yield _line(name, kind, pairs, rows[:, 0], support, three, [overlap(p.second, p.first) for p in pairs])


def evaluator_lines(folder: Path, scorer: RawScorer, calibration: Calibration) -> Iterator[Line]:
    """Each evaluator set: ranking and decisions at the strip threshold."""
    strip = calibration.thresholds["normal"].strip
    for name in EVALUATOR_SETS:
        kind = "untrained" if name in UNTRAINED else "held out"
        pairs = measured_pairs(folder, name, f"{name}.relevance", kind)
        scores = calibration.relevance(scorer.of(pairs))
        yield _line(name, kind, pairs, scores, strip, None, [overlap(p.first, p.second) for p in pairs])


def usefulness_lines(folder: Path, scorer: RawScorer) -> Iterator[tuple[str, int, float, float, float]]:
    """How strips of gold passages with the answer rank among those without: by usefulness, relevance and overlap."""
    strips = held_out_pairs(folder)["answer_strips"]
    for name in dict.fromkeys(pair.source for pair in strips):
        pairs = [pair for pair in strips if pair.source == name]
        truth = np.array([pair.positive for pair in pairs])
        texts = [(pair.first, pair.second) for pair in pairs]
        ranked = (scorer.usefulness(texts), scorer.relevance(texts), [overlap(*text) for text in texts])
        useful, relevant, lexical = (auc(truth, np.array(scores)) for scores in ranked)
        yield name, len(pairs), useful, relevant, lexical


def measured_pairs(folder: Path, name: str, stem: str, kind: str, limit: int = LIMIT) -> list[Pair]:
    """Pairs of a set that no judge of ours was trained on."""
    pairs = read_pairs(find(folder, stem))
    if kind != "untrained":
        pairs = [pair for pair in pairs if is_test(name, pair)]
    if kind == "dev":
        pairs = [pair for pair in pairs if pair.split == "dev"]
    if name == "qnli":
        asked = {normalised(row["question"]) for row in read_rows(find(folder, "xquad_en.qa"))}
        pairs = [pair for pair in pairs if pair.key not in asked]
    return _drawn(pairs, limit)


def _drawn(pairs: Sequence[Pair], limit: int) -> list[Pair]:
    return [pairs[i] for i in np.random.default_rng(1).permutation(len(pairs))[:limit]]


def _line(
    name: str,
    kind: str,
    pairs: Sequence[Pair],
    scores: NDArray[np.float64],
    threshold: float,
    three_way: float | None,
    lexical: Sequence[float],
) -> Line:
    truth = np.array([pair.positive for pair in pairs])
    return Line(
        name,
        kind,
        len(pairs),
        three_way,
        balanced_accuracy(truth, scores >= threshold),
        auc(truth, scores),
        auc(truth, np.array(lexical)),
        expected_calibration_error(truth, scores),
    )


def actions(
    folder: Path, scorer: RawScorer, calibration: Calibration, embedder: Embedder
) -> Iterator[tuple[str, int, float, float]]:
    """For each question set: questions, action accuracy, and the AUC of the best retrieved passage.

    The right action is correct where the answer was retrieved and incorrect where it was not;
    ambiguous is wrong by half. Half of these questions fitted the thresholds' three numbers.
    """
    cases = question_cases(folder, embedder)
    found = decided(scorer, calibration, cases)
    point = calibration.thresholds["normal"]
    right = np.where(found.best >= point.upper, found.answerable, 1 - found.answerable)
    right = np.where((found.best < point.upper) & (found.best >= point.lower), 0.5, right)
    names = np.array([case.source.split(",")[0] for case in cases])
    for name in sorted(set(names)):
        here = names == name
        yield name, int(here.sum()), float(right[here].mean()), auc(found.answerable[here], found.best[here])


def parts(folder: Path, scorer: RawScorer, calibration: Calibration) -> Iterator[tuple[str, int, float]]:
    """The share of breaking_nli's false sentences that are not called supported, by category."""
    pairs = [p for p in read_pairs(find(folder, "breaking_nli.nli")) if NLI_LABELS[p.label] == "contradiction"]
    order = np.random.default_rng(1).permutation(len(pairs))[:LIMIT]
    chosen = [pairs[i] for i in order]
    held = calibration.nli(scorer.of(chosen))[:, 0] < calibration.thresholds["normal"].support
    for part in sorted({pair.part for pair in chosen}):
        mask = np.array([pair.part == part for pair in chosen])
        yield part, int(mask.sum()), float(held[mask].mean())
