"""Whether a message asks for what has to be looked up.

Fitted on questions that documents answer and on messages that need none: verse, translations, code, small talk.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp
from typing import TYPE_CHECKING

from veridic.ports.embedding import embedded

if TYPE_CHECKING:
    from veridic.ports.embedding import Embeds

FILE = "need.json"
NEEDLESS = 0.01
"""Of a message that is no question for the documents by its form."""
UNKNOWN = 1.0
"""Under an embedder that nothing was fitted for: the documents are asked."""


@dataclass(frozen=True)
class Direction:
    """The content of `need.json`: a logistic regression on a unit vector, and what was measured where it was fitted."""

    embedder: str
    """Fingerprint of the embedder whose vectors it was fitted on."""
    weights: list[float]
    offset: float
    fitted_on: dict[str, int]
    """How many messages of each set."""
    date: str


def need_of(message: str, embedder: Embeds) -> float:
    """P(a message needs evidence): about 1 for a question of fact, about 0 for a poem that is asked for."""
    fitted = shipped()
    if embedder.fingerprint != fitted.embedder:
        return UNKNOWN
    logit = float(embedded(embedder, [message])[0] @ fitted.weights) + fitted.offset
    return 1 / (1 + exp(-max(-40.0, min(40.0, logit))))


@cache
def shipped() -> Direction:
    """The regression that ships."""
    return Direction(**json.loads(files(__package__).joinpath(FILE).read_text(encoding="utf-8")))
