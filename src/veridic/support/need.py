"""Whether a message asks for what has to be looked up, as the embedder sees it.

One direction in the embedder's space, found by `veridic.training.need` from questions that documents answer and from
messages that need none: verse, translations, code, small talk. It stands in `need.json`, for one embedder.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp
from typing import TYPE_CHECKING, Protocol

from veridic.embedding import embedded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FILE = "need.json"
NEEDLESS = 0.01
"""Of a message that is no question for the documents by its form."""
UNKNOWN = 1.0
"""Under an embedder that nothing was fitted for: the documents are asked."""


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
class NeedModel:
    """A logistic regression on a unit vector, and what was measured of it where it was fitted."""

    embedder: str
    """Fingerprint of the embedder whose vectors it was fitted on."""
    weights: list[float]
    offset: float
    fitted_on: dict[str, int]
    """How many messages of each set."""
    date: str

    def probability(self, vector: NDArray[np.float32]) -> float:
        """P(evidence is needed)."""
        logit = float(vector @ self.weights) + self.offset
        return 1 / (1 + exp(-max(-40.0, min(40.0, logit))))


def need_of(message: str, embedder: Embeds) -> float:
    """P(a message needs evidence): about 1 for a question of fact, about 0 for a poem that is asked for."""
    model = shipped()
    if embedder.fingerprint != model.embedder:
        return UNKNOWN
    return model.probability(embedded(embedder, [message])[0])


@cache
def shipped() -> NeedModel:
    """The model that ships."""
    return NeedModel(**json.loads(files(__package__).joinpath(FILE).read_text(encoding="utf-8")))
