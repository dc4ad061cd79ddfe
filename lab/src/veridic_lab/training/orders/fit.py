"""Fits the detector of orders: `python -m veridic_lab.training.orders.fit OUT`, with VERIDIC_DATA set.

The threshold is chosen on passages of manuals and forums that nothing was fitted on.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from math import inf
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veridic.models.detector import HEAD, LAYER, MOST_TOKENS, PoolingHead
from veridic.models.fitting import sigmoid
from veridic.models.onnx_encoder import SHIPPED, OnnxEncoder, digest_of
from veridic.text.sentences import sentences
from veridic_lab.training.orders.network import LONGEST, Example, fitted
from veridic_lab.training.orders.texts import MEASURED, SHARED, TUNED, Case, cases, passages

EPOCHS = 8
FALSE_FLAGS = 0.007
"""Share of the passages that the threshold is chosen on in which a sentence may be flagged."""
BATCH = 256
States = Callable[[Sequence[str]], list[NDArray[np.float32]]]


def main() -> None:
    """Fit on everything, choose the threshold and write head and card."""
    [out] = sys.argv[1:]
    folder, encoder = Path(os.environ["VERIDIC_DATA"]), OnnxEncoder(SHIPPED / "embedder", until=LAYER)

    def states(texts: Sequence[str]) -> list[NDArray[np.float32]]:
        return encoder.of_texts(texts, LAYER, most=MOST_TOKENS, deadline=inf)

    found = cases(folder)
    head = fitted(examples(found, states), EPOCHS)
    write(head, found, threshold(folder, head, states), encoder.fingerprint, Path(out))


def examples(found: Sequence[Case], states: States) -> list[Example]:
    """The cases as the head sees them."""
    return [
        Example(one[:LONGEST].astype(np.float16), case.orders, case.weight)
        for start in range(0, len(found), BATCH)
        for case, one in zip(
            found[start : start + BATCH], states([case.text for case in found[start : start + BATCH]]), strict=True
        )
    ]


def threshold(folder: Path, head: PoolingHead, states: States) -> float:
    """The probability that the worst sentence of hardly any harmless passage reaches."""
    worst = [
        max(head.logits(states([one.text for one in sentences(text)])), default=-inf)
        for name in SHARED
        for _, place, text in passages(folder, name)
        if MEASURED <= place < TUNED
    ]
    return float(sigmoid(np.quantile(worst, 1 - FALSE_FLAGS)))


def write(head: PoolingHead, found: Sequence[Case], point: float, embedder: str, out: Path) -> None:
    """Write the weights and the card that describes them."""
    out.mkdir(parents=True, exist_ok=True)
    head.write(out / HEAD)
    card = {
        "name": "detector of orders to the machine that reads",
        "kind": "detector",
        "layer": LAYER,
        "embedder": embedder,
        "fingerprint": digest_of([out / HEAD]),
        "threshold": round(point, 4),
        "fitted_on": dict(Counter(f"{one.source}{', orders' if one.orders else ''}" for one in found)),
        "bytes": (out / HEAD).stat().st_size,
        "date": datetime.now(UTC).date().isoformat(),
    }
    (out / "card.json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
