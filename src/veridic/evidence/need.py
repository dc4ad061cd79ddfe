"""Whether a message asks for what has to be looked up.

Fitted on questions that documents answer and on messages that need none: verse, translations, code, small talk.
"""

from __future__ import annotations

from veridic.evidence.direction import Direction, Embeds
from veridic.evidence.direction import shipped as direction

FILE = "need.json"
NEEDLESS = 0.01
"""Of a message that is no question for the documents by its form."""
UNKNOWN = 1.0
"""Under an embedder that nothing was fitted for: the documents are asked."""


def need_of(message: str, embedder: Embeds) -> float:
    """P(a message needs evidence): about 1 for a question of fact, about 0 for a poem that is asked for."""
    return shipped().of(message, embedder, unknown=UNKNOWN)


def shipped() -> Direction:
    """The model that ships."""
    return direction(FILE)
