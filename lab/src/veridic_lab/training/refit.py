"""The head for usefulness, fitted once more when everything under it stands still.

It is one row of weights: beside an encoder, at the encoder's rate, it learns little of what its inputs hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from veridic_lab.training.batches import Batcher
from veridic_lab.training.network import JudgeNetwork
from veridic_lab.training.pairs import Pair

TASK = "usefulness"
INVERSE_PENALTY = 0.03
"""scikit-learn's C, for weights of mean 1."""


def refit_usefulness(
    network: JudgeNetwork, batcher: Batcher, train: Mapping[str, Sequence[Pair]], weights: Mapping[str, float]
) -> None:
    """Fit the head's weights by logistic regression on what it reads, each set as heavy as in an epoch.

    Without pairs of usefulness nothing changes.
    """
    rows = [(pair, weights.get(name, 1.0)) for name, pairs in train.items() for pair in pairs if pair.task == TASK]
    if not rows:
        return
    pairs, shares = [pair for pair, _ in rows], np.array([share for _, share in rows])
    fitted = LogisticRegression(C=INVERSE_PENALTY, max_iter=2000)
    fitted.fit(_read(network, batcher, pairs), [pair.label for pair in pairs], shares / shares.mean())
    with torch.no_grad():
        network.usefulness.weight.copy_(torch.from_numpy(fitted.coef_))
        network.usefulness.bias.copy_(torch.from_numpy(fitted.intercept_))


def _read(network: JudgeNetwork, batcher: Batcher, pairs: Sequence[Pair]) -> NDArray[np.float32]:
    """What the head reads of each pair, [n, width]."""
    rows = np.zeros((len(pairs), network.usefulness.in_features), dtype=np.float32)
    network.eval()
    with torch.inference_mode():
        for batch in batcher.batches(pairs):
            rows[batch.indices] = network.inner(**batch.inputs).numpy()
    return rows
