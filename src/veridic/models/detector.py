"""The detector that ships: a small head over the embedder's lower layers, where how a thing is said is still told."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from veridic.errors import WeightsDamaged, judging
from veridic.models.fitting import sigmoid
from veridic.models.onnx_encoder import SHIPPED, OnnxEncoder, digest_of, read_card
from veridic.runtime.kept import Recent

Floats = NDArray[np.float32]

MOST_TOKENS = 128
"""Of a sentence; what lies beyond is not read."""
REMEMBERED = 4096
"""Texts whose probabilities are kept: the same passages come in for question after question."""
HEAD = "head.npz"
LAYER = "n52"
"""What the embedder's file calls the token states behind its third layer."""


@dataclass
class PoolingHead:
    """A small head over the states of a text's tokens: it looks where it matters and says one number.

    Tokens become `width` rectified units; `looks` weighted means of them and their maxima become one logit.
    """

    inner: Floats
    """[states, width]"""
    inner_offset: Floats
    look: Floats
    """[width, looks]"""
    out: Floats
    """[(looks + 1) * width]: each mean, then the maxima."""
    out_offset: Floats
    """[1]"""

    def logits(self, texts: Sequence[Floats]) -> Floats:
        """One logit a text, each given as its tokens' states, [tokens, states]."""
        found = []
        for states in texts:
            units = np.maximum(states @ self.inner + self.inner_offset, 0.0)
            looked = units @ self.look
            weights = np.exp(looked - looked.max(axis=0))
            weights /= weights.sum(axis=0)
            pooled = np.concatenate([(weights.T @ units).ravel(), units.max(axis=0)])
            found.append(float(pooled @ self.out + self.out_offset[0]))
        return np.array(found, dtype=np.float32)

    def write(self, path: Path) -> None:
        """Write the weights in half precision."""
        np.savez_compressed(path, **{one.name: getattr(self, one.name).astype(np.float16) for one in fields(self)})

    @classmethod
    def read(cls, path: Path) -> Self:
        """The weights of a file."""
        with np.load(path, allow_pickle=False) as stored:
            return cls(**{one.name: stored[one.name].astype(np.float32) for one in fields(cls)})


class OnnxDetector:
    """P(a text orders the machine about that reads it)."""

    def __init__(self, folder: Path = SHIPPED / "detector", *, threads: int = 0) -> None:
        """Read the card; weights are loaded by the first text. Raises `WeightsUnavailable` without one."""
        self.card = read_card(folder)
        self._folder = folder
        self._encoder = OnnxEncoder(SHIPPED / "embedder", threads=threads, until=self.card["layer"])
        self._recent = Recent[str, float](REMEMBERED)
        self.fingerprint = f"{self.card['fingerprint']}-{self._encoder.fingerprint}"
        """Names its own weights and the embedder's; the threshold belongs to both."""
        self.threshold = float(self.card["threshold"])
        """The probability from which a text is flagged."""

    def orders(self, texts: Sequence[str], *, deadline: float) -> list[float]:
        """See `InjectionDetector`. Raises `JudgeFailed`, `DeadlineExceeded`, `WeightsDamaged`."""
        with judging("The detector"):
            return self._recent.of(texts, lambda new: self._judged(new, deadline))

    def _judged(self, texts: Sequence[str], deadline: float) -> list[float]:
        head = self._head
        states = self._encoder.of_texts(texts, self.card["layer"], most=MOST_TOKENS, deadline=deadline)
        return [float(one) for one in sigmoid(head.logits(states))]

    @cached_property
    def _head(self) -> PoolingHead:
        """Raises `WeightsDamaged` where the head is another than the card's, or was fitted on another embedder."""
        stored = digest_of([self._folder / HEAD])
        if (stored, self._encoder.fingerprint) != (self.card["fingerprint"], self.card["embedder"]):
            raise WeightsDamaged(f"The files in {self._folder} are not those its card describes.", "Reinstall veridic.")
        return PoolingHead.read(self._folder / HEAD)
