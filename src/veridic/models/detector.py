"""The detector that ships: a small head over the embedder's lower layers, where how a thing is said is still told."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from veridic.errors import DeadlineExceeded, JudgeFailed, ModelError, WeightsDamaged
from veridic.models.attention_pooling import PoolingHead
from veridic.models.onnx_encoder import SHIPPED, OnnxEncoder, digest_of, read_card
from veridic.models.recent import Recent

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_TOKENS = 128
"""Of a sentence; what lies beyond is not read."""
REMEMBERED = 4096
"""Texts whose probabilities are kept: the same passages come in for question after question."""
FILES = ("head.npz",)
LAYER = "n52"
"""What the embedder's file calls the token states behind its third layer."""


class TokenStates:
    """The states of a text's tokens behind one of the lower layers of the shipped embedder."""

    def __init__(self, layer: str = LAYER, *, threads: int = 0) -> None:
        """Weights are loaded when first used; `threads` 0 means all."""
        self._encoder = OnnxEncoder(SHIPPED / "embedder", threads=threads, until=layer)
        self._layer = layer

    @property
    def fingerprint(self) -> str:
        """The embedder's."""
        return self._encoder.fingerprint

    def of(self, texts: Sequence[str], *, deadline: float) -> list[NDArray[np.float32]]:
        """Of each text its states, [tokens, 384]."""
        return self._encoder.of_texts(texts, self._layer, most=MOST_TOKENS, deadline=deadline)


class OnnxDetector:
    """P(a text orders the machine about that reads it)."""

    def __init__(self, folder: Path = SHIPPED / "detector", *, threads: int = 0) -> None:
        """Read the card; weights are loaded by the first text. Raises `WeightsUnavailable` without one."""
        self.card = read_card(folder)
        self._folder = folder
        self._states = TokenStates(self.card["layer"], threads=threads)
        self._head: PoolingHead | None = None
        self._lock = threading.Lock()
        self._recent = Recent[str, float](REMEMBERED)

    @property
    def fingerprint(self) -> str:
        """Names its own weights and the embedder's; the threshold belongs to both."""
        return f"{self.card['fingerprint']}-{self._states.fingerprint}"

    @property
    def threshold(self) -> float:
        """The probability from which a text is flagged."""
        return float(self.card["threshold"])

    def orders(self, texts: Sequence[str], *, deadline: float) -> list[float]:
        """See `InjectionDetector`. Raises `JudgeFailed`, `DeadlineExceeded`, `WeightsDamaged`."""
        try:
            return self._recent.of(texts, lambda new: self._judged(new, deadline))
        except (DeadlineExceeded, ModelError, JudgeFailed):
            raise
        except Exception as error:
            raise JudgeFailed(
                f"The detector raised {type(error).__name__}: {error}.", "Run `veridic doctor`."
            ) from error

    def _judged(self, texts: Sequence[str], deadline: float) -> list[float]:
        logits = self._loaded().logits(self._states.of(texts, deadline=deadline)) if texts else np.zeros(0)
        return [float(one) for one in 1 / (1 + np.exp(-logits.astype(np.float64)))]

    def _loaded(self) -> PoolingHead:
        with self._lock:
            if self._head is None:
                self._check()
                self._head = PoolingHead.read(self._folder / FILES[0])
            return self._head

    def _check(self) -> None:
        """Raises `WeightsDamaged` where the head is another than the card's, or was fitted on another embedder."""
        stored = digest_of([self._folder / name for name in FILES])
        if (stored, self._states.fingerprint) != (self.card["fingerprint"], self.card["embedder"]):
            raise WeightsDamaged(f"The files in {self._folder} are not those its card describes.", "Reinstall veridic.")
