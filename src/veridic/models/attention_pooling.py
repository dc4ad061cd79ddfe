"""A small head over the states of a text's tokens: it looks where it matters and says one number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

OUTSIDE = -1e4
"""The logit of a place where there is no token."""


@dataclass
class PoolingHead:
    """Tokens to `width` rectified units; `looks` weighted means of them and their maxima to one logit."""

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
        return np.array([self._logit(states) for states in texts], dtype=np.float32)

    def _logit(self, states: Floats) -> float:
        units = np.maximum(states @ self.inner + self.inner_offset, 0.0)
        looked = units @ self.look
        weights = np.exp(looked - looked.max(axis=0))
        weights /= weights.sum(axis=0)
        pooled = np.concatenate([(weights.T @ units).ravel(), units.max(axis=0)])
        return float(pooled @ self.out + self.out_offset[0])

    def write(self, path: Path) -> None:
        """Write the weights in half precision."""
        np.savez_compressed(path, **{one.name: getattr(self, one.name).astype(np.float16) for one in fields(self)})

    @classmethod
    def read(cls, path: Path) -> PoolingHead:
        """The weights of a file."""
        with np.load(path, allow_pickle=False) as stored:
            return cls(**{one.name: stored[one.name].astype(np.float32) for one in fields(cls)})
