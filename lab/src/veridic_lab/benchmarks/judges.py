"""Both judges on every labelled set: what was held out of training, and what was never trained on.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.judges`. It measures the judges that the
settings name and prints a Markdown table for each, row by row: accuracy of three classes where labels have three,
balanced accuracy at the fitted point, AUC, that of word overlap beside it, and calibration error.
"""

import os
from pathlib import Path

import numpy as np

from veridic.models.fitting import auc, expected_calibration_error
from veridic.settings import Settings
from veridic_lab.benchmarks.asking import say
from veridic_lab.training.metrics import balanced_accuracy, overlap
from veridic_lab.training.pairs import Pair, Task, find, read_pairs
from veridic_lab.training.scoring import Judges, sample
from veridic_lab.training.splits import held_out_of

LIMIT = 600
"""Pairs of a set that are scored, drawn with a fixed seed."""
UNTRAINED = ("fever_symmetric.nli", "breaking_nli.nli", "med.nli", "mtrag.grounded", "ramdocs.relevance")
HEADS: tuple[Task, ...] = ("nli", "relevance")


def main() -> None:
    """Print a table for each head."""
    data, judges = Path(os.environ["VERIDIC_DATA"]), Judges(Settings.load())
    sets = {**held_out_of(data), **{f"{stem}, never trained on": read_pairs(find(data, stem)) for stem in UNTRAINED}}
    for head in HEADS:
        say("", f"| {head} | pairs | 3-way | balanced | AUC | lexical | ECE |", "|---" * 7 + "|")
        for name, pairs in sets.items():
            if pairs and pairs[0].task == head:
                say(row(name, sample(pairs, LIMIT), judges))


def row(name: str, pairs: list[Pair], judges: Judges) -> str:
    """A row of a table."""
    scores, labels = judges.probabilities(pairs), np.array([pair.label for pair in pairs])
    truth, asks = np.array([pair.positive for pair in pairs]), pairs[0].asks
    fitted = judges.behind(pairs[0]).thresholds("normal")
    point = fitted.strip if asks else fitted.support
    three = not asks and labels.max() < 3 and 1 in labels
    lexical = [overlap(*((one.first, one.second) if one.asks else (one.second, one.first))) for one in pairs]
    numbers = (
        balanced_accuracy(truth, scores >= point),
        auc(truth, scores),
        auc(truth, lexical),
        expected_calibration_error(truth, scores),
    )
    accuracy = f"{(judges.logits(pairs).argmax(1) == labels).mean():.3f}" if three else ""
    return f"| {' | '.join((name, str(len(pairs)), accuracy, *(f'{number:.3f}' for number in numbers)))} |"


if __name__ == "__main__":
    main()
