"""How long a judge takes, beside the same encoder in torch."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from itertools import count as counting
from pathlib import Path

import numpy as np

from veridic.models.cross_encoder import ASKING, OnnxJudge

_FIRST = """
import time; begun = time.perf_counter()
from veridic.models.cross_encoder import OnnxJudge; from veridic.models.scorers import TrainedEvaluator
TrainedEvaluator(OnnxJudge()).score([("Who built it?", "Anna Berg built it.")], deadline=float("inf"))
print(time.perf_counter() - begun)
"""


def latency(folder: Path, head: str, count: int = 40, words: int = 28) -> tuple[float, float | None]:
    """Median seconds of 40 pairs of 64 tokens: this judge, and torch fp32 where it is installed.

    No pair comes twice. A head that asks how near the texts are embeds them besides, torch as we do.
    """
    judge, turns = OnnxJudge(folder), counting()
    ours: Callable[[], object] = lambda: judge.logits(_pairs(next(turns), count, words), head, deadline=float("inf"))  # noqa: E731
    try:
        import torch
        from transformers import AutoModel

        from veridic_lab.training.ship import base_folder
    except ImportError:
        return _medians(ours)[0], None
    network = AutoModel.from_pretrained(str(base_folder())).eval()
    shapes = [(count, 64), *([(2 * count, 32)] if head in ASKING else [])]
    inputs = [{"input_ids": torch.full(s, 2314), "attention_mask": torch.ones(s, dtype=torch.long)} for s in shapes]
    with torch.inference_mode():
        found = _medians(ours, lambda: [network(**each) for each in inputs])
    return found[0], found[1]


def _pairs(turn: int, count: int, words: int) -> list[tuple[str, str]]:
    return [(f"{turn} {n} " + "river " * words, f"{turn} {n} " + "stone " * words) for n in range(count)]


def first_score() -> float:
    """Seconds from nothing loaded to the first score, in a process of its own."""
    ran = subprocess.run([sys.executable, "-c", _FIRST], check=True, capture_output=True, text=True)  # noqa: S603
    return float(ran.stdout)


def _medians(*calls: Callable[[], object], times: int = 8) -> list[float]:
    """Median seconds of each call, taken in turn."""
    for call in calls:
        call()
    taken: list[list[float]] = [[] for _ in calls]
    for _ in range(times):
        for call, row in zip(calls, taken, strict=True):
            begun = time.perf_counter()
            call()
            row.append(time.perf_counter() - begun)
    return [float(np.median(row)) for row in taken]
