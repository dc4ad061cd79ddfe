"""What the critic says of 160 statements whose numbers, dates and times stand otherwise in their premise.

Run from a checkout: `python -m veridic_lab.benchmarks.notation`. Half of the statements give the same value in another
notation, half one that only looks like it: another sign, scale, day or hour.
"""

from collections import Counter
from pathlib import Path

from veridic.models.by_settings import open_deciding
from veridic.models.fitting import auc
from veridic.settings import Settings
from veridic_lab.benchmarks.asking import say
from veridic_lab.training.pairs import read_rows

FILE = Path(__file__).with_suffix(".jsonl")
NEVER = float("inf")


def main() -> None:
    """Print how many statements of each kind are supported, and the AUC between the two halves."""
    rows = list(read_rows(FILE))
    _, critic = open_deciding(Settings())
    said = [critic.judge([(row["premise"], row["statement"])], deadline=NEVER)[0].entailment for row in rows]
    support = critic.thresholds("normal").support
    asked = Counter((row["about"], row["label"]) for row in rows)
    held = Counter((row["about"], row["label"]) for row, sure in zip(rows, said, strict=True) if sure >= support)
    say(f"AUC {auc([row['label'] == 'same' for row in rows], said):.3f}")
    for about in sorted({row["about"] for row in rows}):
        told = (f"{held[about, label]} of {asked[about, label]} {label}" for label in ("same", "other"))
        say(f"{about}: supported {', '.join(told)}")


if __name__ == "__main__":
    main()
