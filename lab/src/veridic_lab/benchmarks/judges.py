"""Both judges on every labelled set: what was held out of training, and what was never trained on.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.judges`. It measures the judges that the
settings name and prints Markdown tables, row by row: accuracy of three classes where labels have three, balanced
accuracy at the fitted point, AUC, that of word overlap beside it, and calibration error.
"""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from veridic.models.calibrating import present_calibration
from veridic.models.fitting import auc, expected_calibration_error
from veridic.settings import Settings
from veridic_lab.benchmarks.asking import say
from veridic_lab.evaluation.bootstrap import Floats
from veridic_lab.training.metrics import balanced_accuracy, overlap
from veridic_lab.training.mixture import held_out_pairs, is_test
from veridic_lab.training.pairs import Pair, find, normalised, read_pairs, read_rows
from veridic_lab.training.scoring import RawScorer

LIMIT = 600
"""Pairs of a set that are scored, drawn with a fixed seed."""
CRITIC_SETS = """mnli.nli snli.nli scifact.nli factcheck_gpt.nli contract_nli.nli attribution_bench.grounded
    begin.grounded halueval_qa.grounded fever_symmetric.nli breaking_nli.nli med.nli mtrag.grounded""".split()
EVALUATOR_SETS = "qnli clapnq qed stackexchange selqa musique hotpotqa 2wiki ramdocs".split()
UNTRAINED = ("fever_symmetric", "breaking_nli", "med", "mtrag", "ramdocs")


def main() -> None:
    """Print every table."""
    data, settings = Path(os.environ["VERIDIC_DATA"]), Settings.load()
    scorer = RawScorer.open(settings)
    calibration = present_calibration(settings, scorer.fingerprint("nli"))
    point, held = calibration.thresholds["normal"], held_out_pairs(data)
    say(f"Judge {calibration.fingerprint}", "")
    say("| critic | pairs | 3-way | balanced | AUC | lexical | ECE |", "|---" * 7)
    named = {stem.partition(".")[0]: measured_pairs(data, stem) for stem in CRITIC_SETS}
    for name, pairs in {**named, "answered": drawn(held["answered"])}.items():
        rows, labels = calibration.nli(scorer.of(pairs)), np.array([pair.label for pair in pairs])
        three = f"{(rows.argmax(1) == labels).mean():.3f}" if labels.max() < 3 and 1 in labels else ""
        say(row(name, pairs, rows[:, 0], point.support, lambda pair: overlap(pair.second, pair.first), three))
    say("", "| evaluator | pairs | balanced | AUC | lexical | ECE |", "|---" * 6)
    for name in EVALUATOR_SETS:
        pairs = measured_pairs(data, f"{name}.relevance")
        say(row(name, pairs, calibration.relevance(scorer.of(pairs)), point.strip, _asked))


def measured_pairs(data: Path, stem: str) -> list[Pair]:
    """Pairs of a set that no judge of ours was trained on."""
    name, pairs = stem.partition(".")[0], read_pairs(find(data, stem))
    if name not in UNTRAINED:
        pairs = [pair for pair in pairs if is_test(name, pair)]
    if name == "scifact":
        pairs = [pair for pair in pairs if pair.split == "dev"]
    if name == "qnli":
        asked = {normalised(one["question"]) for one in read_rows(find(data, "xquad_en.qa"))}
        pairs = [pair for pair in pairs if pair.key not in asked]
    return drawn(pairs)


def drawn(pairs: Sequence[Pair]) -> list[Pair]:
    """At most so many, the same each time."""
    return [pairs[i] for i in np.random.default_rng(1).permutation(len(pairs))[:LIMIT]]


def row(
    name: str, pairs: Sequence[Pair], scores: Floats, point: float, lexical: Callable[[Pair], float], *first: str
) -> str:
    """A row of a table; `first` are cells before the common ones."""
    truth = np.array([pair.positive for pair in pairs])
    numbers = (
        balanced_accuracy(truth, scores >= point),
        auc(truth, scores),
        auc(truth, [lexical(pair) for pair in pairs]),
        expected_calibration_error(truth, scores),
    )
    cells = (name, str(len(pairs)), *first, *(f"{number:.3f}" for number in numbers))
    return f"| {' | '.join(cells)} |"


def _asked(pair: Pair) -> float:
    return overlap(pair.first, pair.second)


if __name__ == "__main__":
    main()
