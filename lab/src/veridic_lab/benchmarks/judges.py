"""Both judges on every labelled set: what was held out of training, and what was never trained on.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.judges`. It measures the judges that the
settings name and prints a Markdown table for each, row by row: accuracy of three classes where labels have three,
balanced accuracy at the fitted point, AUC, that of word overlap beside it, and calibration error.
"""

import os
from pathlib import Path

import numpy as np

from veridic.models.by_settings import present_calibration
from veridic.models.calibrating import Head
from veridic.models.calibration import Calibration
from veridic.models.fitting import auc, expected_calibration_error
from veridic.settings import Settings
from veridic_lab.benchmarks.asking import say
from veridic_lab.training.calibrate import positive
from veridic_lab.training.metrics import balanced_accuracy, overlap
from veridic_lab.training.mixture import held_out_pairs
from veridic_lab.training.pairs import Pair, find, read_pairs
from veridic_lab.training.scoring import RawScorer

LIMIT = 600
"""Pairs of a set that are scored, drawn with a fixed seed."""
UNTRAINED = ("fever_symmetric.nli", "breaking_nli.nli", "med.nli", "mtrag.grounded", "ramdocs.relevance")
HEADS: tuple[Head, ...] = ("nli", "relevance", "usefulness")


def main() -> None:
    """Print a table for each head."""
    data, settings = Path(os.environ["VERIDIC_DATA"]), Settings.load()
    scorer = RawScorer.open(settings)
    calibration = present_calibration(settings, scorer.fingerprint("nli"))
    sets = {**held_out_pairs(data), **{f"{stem}, never trained on": read_pairs(find(data, stem)) for stem in UNTRAINED}}
    say(f"Judge {calibration.fingerprint}")
    for head in HEADS:
        say("", f"| {head} | pairs | 3-way | balanced | AUC | lexical | ECE |", "|---" * 7 + "|")
        for name, pairs in sets.items():
            if pairs and pairs[0].task == head:
                drawn = [pairs[i] for i in np.random.default_rng(1).permutation(len(pairs))[:LIMIT]]
                say(row(name, head, drawn, calibration, scorer))


def row(name: str, head: Head, pairs: list[Pair], calibration: Calibration, scorer: RawScorer) -> str:
    """A row of a table."""
    logits, labels = scorer.of(pairs), np.array([pair.label for pair in pairs])
    scores, truth = positive(calibration, head, logits), np.array([pair.positive for pair in pairs])
    fitted = calibration.thresholds["normal"]
    point = {"nli": fitted.support, "relevance": fitted.strip, "usefulness": fitted.abstention}[head]
    three = head == "nli" and labels.max() < 3 and 1 in labels
    lexical = [overlap(*((one.first, one.second) if one.asks else (one.second, one.first))) for one in pairs]
    numbers = (
        balanced_accuracy(truth, scores >= point),
        auc(truth, scores),
        auc(truth, lexical),
        expected_calibration_error(truth, scores),
    )
    accuracy = f"{(calibration.nli(logits).argmax(1) == labels).mean():.3f}" if three else ""
    return f"| {' | '.join((name, str(len(pairs)), accuracy, *(f'{number:.3f}' for number in numbers)))} |"


if __name__ == "__main__":
    main()
