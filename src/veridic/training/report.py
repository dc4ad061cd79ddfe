"""The judges measured from the files that ship: `python -m veridic.training.report`."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veridic.errors import UsageError
from veridic.models.calibration import Calibration
from veridic.models.onnx_encoder import SHIPPED
from veridic.training.metrics import auc, balanced_accuracy, expected_calibration_error, overlap
from veridic.training.mixture import is_test
from veridic.training.pairs import NLI_LABELS, Pair, find, normalised, read_pairs, read_rows
from veridic.training.scoring import RawScorer

LIMIT = 600
"""Pairs of a set that are scored, drawn with a fixed seed."""

CRITIC_SETS = (
    ("mnli", "mnli.nli", "held out"),
    ("snli", "snli.nli", "held out"),
    ("scifact", "scifact.nli", "dev"),
    ("factcheck_gpt", "factcheck_gpt.nli", "held out"),
    ("attribution_bench", "attribution_bench.grounded", "held out"),
    ("begin", "begin.grounded", "held out"),
    ("halueval_qa", "halueval_qa.grounded", "held out"),
    ("mtrag", "mtrag.grounded", "untrained"),
    ("fever_symmetric", "fever_symmetric.nli", "untrained"),
    ("contract_nli", "contract_nli.nli", "held out"),
    ("breaking_nli", "breaking_nli.nli", "untrained"),
    ("med", "med.nli", "untrained"),
)
EVALUATOR_SETS = ("qnli", "clapnq", "qed", "stackexchange", "selqa", "musique", "hotpotqa", "2wiki", "ramdocs")


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
    for name, stem, kind in CRITIC_SETS:
        pairs = _measured(folder, name, stem, kind)
        rows = calibration.nli(scorer.of(pairs))
        labels = np.array([pair.label for pair in pairs])
        three = float((rows.argmax(1) == labels).mean()) if labels.max() < 3 and 1 in labels else None
        yield _line(name, kind, pairs, rows[:, 0], support, three, [overlap(p.second, p.first) for p in pairs])


def evaluator_lines(folder: Path, scorer: RawScorer, calibration: Calibration) -> Iterator[Line]:
    """Each evaluator set: ranking and decisions at the strip threshold."""
    strip = calibration.thresholds["normal"].strip
    for name in EVALUATOR_SETS:
        kind = "untrained" if name == "ramdocs" else "held out"
        pairs = _measured(folder, name, f"{name}.relevance", kind)
        scores = calibration.relevance(scorer.of(pairs))
        yield _line(name, kind, pairs, scores, strip, None, [overlap(p.first, p.second) for p in pairs])


def _measured(folder: Path, name: str, stem: str, kind: str) -> list[Pair]:
    pairs = read_pairs(find(folder, stem))
    if kind != "untrained":
        pairs = [pair for pair in pairs if is_test(name, pair)]
    if kind == "dev":
        pairs = [pair for pair in pairs if pair.split == "dev"]
    if name == "qnli":
        asked = {normalised(row["question"]) for row in read_rows(find(folder, "xquad_en.qa"))}
        pairs = [pair for pair in pairs if pair.key not in asked]
    order = np.random.default_rng(1).permutation(len(pairs))[:LIMIT]
    return [pairs[i] for i in order]


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
    plain = np.array(lexical)
    return Line(
        name,
        kind,
        len(pairs),
        three_way,
        balanced_accuracy(truth, scores >= threshold),
        auc(truth, scores),
        auc(truth, plain),
        expected_calibration_error(truth, scores),
    )


def parts(folder: Path, scorer: RawScorer, calibration: Calibration) -> Iterator[tuple[str, int, float]]:
    """The share of breaking_nli's false sentences that are not called supported, by category."""
    pairs = [p for p in read_pairs(find(folder, "breaking_nli.nli")) if NLI_LABELS[p.label] == "contradiction"]
    order = np.random.default_rng(1).permutation(len(pairs))[:LIMIT]
    chosen = [pairs[i] for i in order]
    held = calibration.nli(scorer.of(chosen))[:, 0] < calibration.thresholds["normal"].support
    for part in sorted({pair.part for pair in chosen}):
        mask = np.array([pair.part == part for pair in chosen])
        yield part, int(mask.sum()), float(held[mask].mean())


def latency(folder: Path, count: int = 40, words: int = 29) -> tuple[float, float | None]:
    """Median seconds of 40 pairs of 64 tokens: this judge, and torch fp32 where it is installed."""
    scorer = RawScorer(folder)
    pairs = [(f"{n} " + "river " * words, "stone " * words) for n in range(count)]
    ours = _median(lambda: scorer.judge.logits(pairs, "nli", deadline=float("inf")))
    try:
        import torch
        from transformers import AutoModel

        from veridic.training.ship import base_folder
    except ImportError:
        return ours, None
    network = AutoModel.from_pretrained(str(base_folder())).eval()
    inputs = {"input_ids": torch.full((count, 64), 2314), "attention_mask": torch.ones(count, 64, dtype=torch.long)}
    with torch.inference_mode():
        return ours, _median(lambda: network(**inputs))


def _median(call: Callable[[], object], times: int = 8) -> float:
    call()
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        call()
        taken.append(time.perf_counter() - begun)
    return float(np.median(taken))


HEADER = "| set | rows | pairs | 3-way | balanced | AUC | lexical | ECE |\n|---|---|---|---|---|---|---|---|\n"


def row(line: Line) -> str:
    """A row of a Markdown table."""
    three = "" if line.three_way is None else f"{line.three_way:.3f}"
    numbers = " | ".join(f"{value:.3f}" for value in (line.balanced, line.ranking, line.lexical, line.ece))
    return f"| {line.name} | {line.kind} | {line.pairs} | {three} | {numbers} |\n"


def main() -> int:
    """Print all tables, row by row as they are measured."""
    data = os.environ.get("VERIDIC_DATA")
    if not data:
        raise UsageError("VERIDIC_DATA is not set.", "Point it at the folder with the labelled data.")
    folder = SHIPPED / "judge"
    scorer = RawScorer(folder)
    calibration = Calibration.read(folder / "calibration.json", scorer.judge.fingerprint)
    for text in _pieces(Path(data), folder, scorer, calibration):
        sys.stdout.write(text)
        sys.stdout.flush()
    return 0


def _pieces(data: Path, folder: Path, scorer: RawScorer, calibration: Calibration) -> Iterator[str]:
    yield f"# Judge {calibration.fingerprint}\n\n## Critic\n\n{HEADER}"
    yield from map(row, critic_lines(data, scorer, calibration))
    yield f"\n## Evaluator\n\n{HEADER}"
    yield from map(row, evaluator_lines(data, scorer, calibration))
    yield "\n## breaking_nli: false sentences not called supported\n\n| part | pairs | share |\n|---|---|---|\n"
    for part, count, share in parts(data, scorer, calibration):
        yield f"| {part} | {count} | {share:.3f} |\n"
    ours, torchs = latency(folder)
    other = f", torch fp32 {1000 * torchs:.0f} ms" if torchs else ""
    yield f"\n40 pairs of 64 tokens: {1000 * ours:.0f} ms{other}\n"


if __name__ == "__main__":
    sys.exit(main())
