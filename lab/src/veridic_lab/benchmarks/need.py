"""How well messages that need evidence are told from those that need none.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.need`. Questions of the data sets that the fit
has not seen, and the messages of `need.txt`, whose tasks and wordings are others than in training. Prints for each set
how many are called needless under 0.2, then AUC and Brier score of the written messages. The tables are Markdown.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veridic.evidence.need import shipped
from veridic.models.embedder import OnnxEmbedder
from veridic_lab.training.metrics import auc, expected_calibration_error
from veridic_lab.training.need import DECIDES, MEASURED, Message, embedded, written
from veridic_lab.training.pairs import find, fraction_of, held_out, normalised, read_rows

HERE = Path(__file__).parent
SETS = ("xquad_en", "pubmedqa", "mtrag", "truthfulqa", "chunking_eval", "ramdocs")
"""Sets of which nothing is fitted."""
SPLIT_SETS = ("nq_gold", "stackexchange", "hotpotqa", "2wiki", "musique", "clapnq", "scifact")
"""Sets of which the other half is."""
PER_SET = 700
SHOWN = 12


def questions(folder: Path) -> Iterator[Message]:
    """Questions of the data sets, at most `PER_SET` of each."""
    for name in (*SETS, *SPLIT_SETS):
        asked = {normalised(row["question"]): row for row in read_rows(find(folder, f"{name}.qa"))}
        keys = [key for key in asked if name in SETS or held_out(key, MEASURED)]
        for key in sorted(keys, key=lambda key: fraction_of(f"measured:{key}"))[:PER_SET]:
            follows = ", follow-ups" if asked[key].get("history") else ""
            yield Message(asked[key]["question"], needs=True, source=f"{name}{follows}")


def line(name: str, sure: NDArray[np.float64]) -> str:
    """A row of the table."""
    under = [f"{(sure < point).mean():.2%}" for point in (DECIDES, 0.5)]
    return f"| {name} | {len(sure)} | {' | '.join(under)} | {np.median(sure):.2f} |\n"


def main() -> None:
    """Print the tables, and the messages that are judged worst."""
    embedder, model = OnnxEmbedder(), shipped()
    asked = list(questions(Path(os.environ["VERIDIC_DATA"])))
    kept = written((HERE / "need.txt").read_text(encoding="utf-8"))
    sure = np.array([model.probability(vector) for vector in embedded([*asked, *kept], embedder)])
    of_sets, of_kept = sure[: len(asked)], sure[len(asked) :]
    needs = np.array([one.needs for one in kept])
    sys.stdout.write(f"| messages | number | under {DECIDES} | under 0.5 | median |\n|---|---|---|---|---|\n")
    for name in dict.fromkeys(one.source for one in asked):
        sys.stdout.write(line(name, of_sets[[one.source == name for one in asked]]))
    whole = np.array(["follow-ups" not in one.source for one in asked])
    sys.stdout.write(line("all sets, without follow-ups", of_sets[whole]))
    sys.stdout.write(line("all sets", of_sets))
    sys.stdout.write(line("written, facts", of_kept[needs]) + line("written, needless", of_kept[~needs]))
    sys.stdout.write(
        f"\nwritten: AUC {auc(needs, of_kept):.3f}, Brier {np.mean((of_kept - needs) ** 2):.3f}, "
        f"ECE {expected_calibration_error(needs, of_kept):.3f}; "
        f"needless ones against all questions: AUC "
        f"{auc([True] * len(asked) + [False] * sum(~needs), [*of_sets, *of_kept[~needs]]):.3f}\n\n"
    )
    wrong = sorted([*zip(of_sets, asked, strict=True), *zip(of_kept, kept, strict=True)], key=lambda one: one[0])
    for value, one in [found for found in wrong if found[1].needs][:SHOWN]:
        sys.stdout.write(f"{value:.2f} needs evidence, {one.source}: {one.text}\n")
    for value, one in [found for found in reversed(wrong) if not found[1].needs][:SHOWN]:
        sys.stdout.write(f"{value:.2f} needs none: {one.text}\n")


if __name__ == "__main__":
    main()
