"""A slow strong network teaches a small fast one: its opinion of pairs, labelled and unlabelled."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from rich.progress import track

from veridic.training.batches import Batcher
from veridic.training.network import JudgeNetwork
from veridic.training.pairs import Pair
from veridic.training.soft import SoftLabels, key_of


def teach(network: JudgeNetwork, batcher: Batcher, pairs: Sequence[Pair]) -> SoftLabels:
    """The network's probabilities of every pair; shows its progress."""
    distinct = list({key_of(pair): pair for pair in pairs}.values())
    rows = np.zeros((len(distinct), 3), dtype=np.float16)
    network.eval()
    with torch.inference_mode():
        for batch in track(list(batcher.batches(distinct)), "teach"):
            relevance, nli = network(**batch.inputs)
            ours = torch.tensor([pair.task == "relevance" for pair in batch.pairs])
            one = torch.nn.functional.pad(relevance.sigmoid()[:, None], (0, 2))
            rows[batch.indices] = torch.where(ours[:, None], one, nli.softmax(-1)).numpy().astype(np.float16)
    return SoftLabels([key_of(pair) for pair in distinct], rows)
