"""A slow strong network teaches a small fast one: its opinion of pairs, labelled and unlabelled."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from rich.console import Console
from rich.progress import track

from veridic_lab.training.batches import Batcher
from veridic_lab.training.network import JudgeNetwork, Logits
from veridic_lab.training.pairs import Pair
from veridic_lab.training.soft import SoftLabels, key_of


def probabilities(logits: Logits, pairs: Sequence[Pair]) -> torch.Tensor:
    """What the network says of each pair's own task, [n, 3]; of a question's text one number and two zeros."""
    rows = logits["nli"].softmax(-1)
    for place, pair in enumerate(pairs):
        if pair.asks:
            rows[place] = torch.tensor([float(logits[pair.task][place].sigmoid()), 0.0, 0.0])
    return rows


def teach(network: JudgeNetwork, batcher: Batcher, pairs: Sequence[Pair]) -> SoftLabels:
    """The network's probabilities of every pair; shows its progress."""
    distinct = list({key_of(pair): pair for pair in pairs}.values())
    rows = np.zeros((len(distinct), 3), dtype=np.float16)
    network.eval()
    with torch.inference_mode():
        for batch in track(list(batcher.batches(distinct)), "teach", console=Console(stderr=True)):
            rows[batch.indices] = probabilities(network(**batch.inputs), batch.pairs).numpy().astype(np.float16)
    return SoftLabels([key_of(pair) for pair in distinct], rows)
