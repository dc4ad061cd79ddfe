"""What a message asks for, as the embedder sees it: one direction in its space, found by a fit and kept in a file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp
from typing import TYPE_CHECKING, Protocol

from veridic.ports.embedding import embedded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embeds(Protocol):
    """An embedder, as far as it is asked here."""

    @property
    def fingerprint(self) -> str:
        """Names its weights."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Texts to unit vectors, [n, dimension]."""
        ...


@dataclass(frozen=True)
class Direction:
    """A logistic regression on a unit vector, and what was measured of it where it was fitted."""

    embedder: str
    """Fingerprint of the embedder whose vectors it was fitted on."""
    weights: list[float]
    offset: float
    fitted_on: dict[str, int]
    """How many messages of each set."""
    date: str

    def probability(self, vector: NDArray[np.float32]) -> float:
        """P(it is what the direction was fitted to tell)."""
        logit = float(vector @ self.weights) + self.offset
        return 1 / (1 + exp(-max(-40.0, min(40.0, logit))))

    def of(self, message: str, embedder: Embeds, *, unknown: float) -> float:
        """The probability of a message; `unknown` under an embedder that nothing was fitted for, which is not asked."""
        if embedder.fingerprint != self.embedder:
            return unknown
        return self.probability(embedded(embedder, [message])[0])


@cache
def shipped(name: str) -> Direction:
    """The direction that ships in a file of this package."""
    return Direction(**json.loads(files(__package__).joinpath(name).read_text(encoding="utf-8")))
