"""Fits what tells messages that need evidence: `python -m veridic_lab.training.need OUT`, with VERIDIC_DATA set.

From questions of the data sets, the share that nothing is measured on, and from the messages of `need.txt`, written for
it. `benchmarks.need` measures it on others.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veridic.evidence.direction import Direction
from veridic.models.embedder import OnnxEmbedder
from veridic.ports.embedding import Embedder
from veridic_lab.training.pairs import find, fraction_of, held_out, normalised, read_rows

SETS: Mapping[str, int] = {
    "nq_gold.qa": 300,
    "stackexchange.qa": 300,
    "clapnq.qa": 300,
    "2wiki.qa": 300,
    "hotpotqa.qa": 150,
    "musique.qa": 150,
    "scifact.qa": 200,
    "squadshifts_new_wiki.reader": 250,
    "squadshifts_amazon.reader": 250,
    "squadshifts_reddit.reader": 250,
    "qamr.reader": 250,
    "timeqa.reader": 250,
    "boolq.reader": 250,
    "strategyqa.reader": 250,
    "condaqa.reader": 250,
}
"""Questions that are taken of each set, at most."""
MEASURED = 0.5
"""Share of every set's questions that is kept from it; a superset of what the judges keep."""
WEIGHT_OF_A_QUESTION = 0.1
"""Beside 1 of a message that was written for this: there are ten times as many."""
RIDGE = 0.3
FOLDS = 5
DECIDES, SPARED = 0.2, 0.003
"""Under this probability nothing is looked up; of the questions, seen by a fit without them, so many may lie there."""
BATCH = 64
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Message:
    """A message and whether it needs evidence."""

    text: str
    needs: bool
    source: str

    @property
    def weight(self) -> float:
        """How much it counts in the fit."""
        return 1.0 if self.source == WRITTEN else WEIGHT_OF_A_QUESTION


WRITTEN = "written"


def main() -> None:
    """Fit on everything and write the model."""
    [out] = sys.argv[1:]
    embedder = OnnxEmbedder()
    fit(messages(Path(os.environ["VERIDIC_DATA"])), embedder, Path(out))


def fit(found: Sequence[Message], embedder: Embedder, out: Path) -> Direction:
    """Fit the messages, write the model and return it."""
    model = fitted(found, embedded(found, embedder), embedder.fingerprint)
    out.write_text(json.dumps(asdict(model)) + "\n", encoding="utf-8")
    return model


def messages(folder: Path) -> list[Message]:
    """Questions of the data folder and the written messages."""
    return [*questions(folder), *written(files(__package__).joinpath("need.txt").read_text(encoding="utf-8"))]


def questions(folder: Path) -> Iterator[Message]:
    """The questions of `SETS` that nothing is measured on, drawn by lot."""
    for stem, count in SETS.items():
        asked = {normalised(row["question"]): row["question"] for row in read_rows(find(folder, stem))}
        free = sorted((key for key in asked if not held_out(key, MEASURED)), key=lambda key: fraction_of(f"need:{key}"))
        yield from (Message(asked[key], needs=True, source=stem) for key in free[:count])


def written(text: str) -> list[Message]:
    """The messages of a file: a line each, `+` before one that needs evidence, `-` before one that needs none."""
    lines = (line.partition(" ") for line in text.splitlines())
    return [Message(said, needs=mark == "+", source=WRITTEN) for mark, _, said in lines if mark in ("+", "-")]


def embedded(found: Sequence[Message], embedder: Embedder) -> Floats:
    """The vectors of messages, a batch at a time."""
    texts = [one.text for one in found]
    parts = [embedder.embed(texts[at : at + BATCH]) for at in range(0, len(texts), BATCH)]
    return np.concatenate(parts).astype(np.float64)


def fitted(found: Sequence[Message], vectors: Floats, fingerprint: str) -> Direction:
    """The regression on all, its offset raised until hardly any question that it did not see is called needless."""
    needs = np.array([one.needs for one in found], dtype=float)
    share = np.array([one.weight for one in found])
    point = regression(vectors, needs, share)
    unseen = apart([normalised(one.text) for one in found], vectors, needs, share)
    asked = np.array([one.source != WRITTEN for one in found])
    least = float(np.quantile(unseen[asked], SPARED)) if asked.any() else 0.0
    raised = max(0.0, float(np.log(DECIDES / (1 - DECIDES))) - least)
    return direction(found, point, fingerprint, raised)


def direction(found: Sequence[Message], point: Floats, fingerprint: str, raised: float = 0.0) -> Direction:
    """The regression as it is kept, its offset raised."""
    return Direction(
        embedder=fingerprint,
        weights=[round(float(value), 3) for value in point[:-1]],
        offset=round(float(point[-1]) + raised, 3),
        fitted_on=dict(Counter(one.source for one in found)),
        date=datetime.now(UTC).date().isoformat(),
    )


def apart(keys: Sequence[str], vectors: Floats, needs: Floats, share: Floats) -> Floats:
    """The logit of each row by a fit that has seen none of its key."""
    fold = np.array([int(FOLDS * fraction_of(f"fold:{key}")) for key in keys])
    logits = np.zeros(len(keys))
    for number in range(FOLDS):
        here = fold == number
        if here.any() and not here.all():
            point = regression(vectors[~here], needs[~here], share[~here])
            logits[here] = vectors[here] @ point[:-1] + point[-1]
    return logits


def regression(vectors: Floats, truth: Floats, share: Floats) -> Floats:
    """Weights and, last, offset of the ridge logistic regression, by Newton's method."""
    rows = np.column_stack([vectors, np.ones(len(vectors))])
    ridge = np.diag([*np.full(vectors.shape[1], RIDGE), 1e-6])
    point = np.zeros(rows.shape[1])
    for _ in range(50):
        said = 1 / (1 + np.exp(-np.clip(rows @ point, -40, 40)))
        slope = rows.T @ (share * (said - truth)) + ridge @ point
        step = np.linalg.solve((rows * (share * said * (1 - said))[:, None]).T @ rows + ridge, slope)
        point -= step
        if np.abs(step).max() < 1e-6:
            break
    return point


if __name__ == "__main__":
    main()
