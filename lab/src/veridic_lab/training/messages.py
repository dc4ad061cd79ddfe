"""Fits what kind of message a person sends: most are questions for the documents.

`python -m veridic_lab.training.messages` writes what ships. It learns from `data/messages/train.jsonl`
and from the questions of the written documents that train; what it never saw, `measure.jsonl`, measures it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from veridic.models.embedder import OnnxEmbedder
from veridic.models.messages import FILE, MessageRegression, bare
from veridic.ports.shapes.messages import KINDS
from veridic.runtime.intents import QUESTION_FROM
from veridic_lab.drafts.hands import documents
from veridic_lab.training.pairs import read_rows

FOLDER = Path(__file__).parents[3] / "data" / "messages"
TOGETHER = 64
"""Messages that are embedded at once."""
OF_MESSAGES = 2.0
"""How much a message counts beside a question of a written document, of which there are nearly four times as many."""
INVERSE_PENALTY = 20.0
"""scikit-learn's C; from 10 to 20 the log loss of messages left out in turn is between .36 and .40."""


def questions() -> list[str]:
    """The questions of the written documents that train, answered there or not."""
    return [
        text
        for document in documents("train")
        for text in (*(asked.question for asked in document.asked), *document.unanswered)
    ]


def fitted(
    texts: Sequence[str], kinds: Sequence[str], shares: Sequence[float], embedder: OnnxEmbedder
) -> MessageRegression:
    """The regression on the vectors of messages, of which each counts by its share."""
    learned = LogisticRegression(C=INVERSE_PENALTY, max_iter=3000)
    found = learned.fit(vectors([*map(bare, texts)], embedder), kinds, sample_weight=shares)
    order = [list(found.classes_).index(kind) for kind in KINDS]
    return MessageRegression(
        embedder=embedder.fingerprint,
        weights=np.round(found.coef_[order], 3).tolist(),
        offsets=np.round(found.intercept_[order], 3).tolist(),
        fitted_on=dict(Counter(kinds)),
        date=datetime.now(UTC).date().isoformat(),
    )


def vectors(texts: Sequence[str], embedder: OnnxEmbedder) -> NDArray[np.float32]:
    """Unit vectors [messages, dimension]."""
    return np.vstack([embedder.embed(texts[at : at + TOGETHER]) for at in range(0, len(texts), TOGETHER)])


def main() -> None:
    """Fit, write, and say how many messages of each kind that were left out are taken for questions."""
    rows, left = (list(read_rows(FOLDER / f"{name}.jsonl")) for name in ("train", "measure"))
    asked, embedder = questions(), OnnxEmbedder()
    texts = [*(row["text"] for row in rows), *asked]
    kinds = [*(row["kind"] for row in rows), *("question" for _ in asked)]
    found = fitted(texts, kinds, [OF_MESSAGES] * len(rows) + [1.0] * len(asked), embedder)
    FILE.write_text(json.dumps(vars(found)) + "\n", encoding="utf-8")
    sure = found.probabilities(vectors([bare(row["text"]) for row in left], embedder))[:, KINDS.index("question")]
    for kind, count in sorted(Counter(row["kind"] for row in left).items()):
        taken = sum(one >= QUESTION_FROM for row, one in zip(left, sure, strict=True) if row["kind"] == kind)
        print(f"{kind}: {taken} of {count} are taken for questions")  # noqa: T201
    print(json.dumps(found.fitted_on))  # noqa: T201


if __name__ == "__main__":
    main()
