"""How near texts are, as the embedder sees them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from veridic.evidence.depth import FITTED_FOR
from veridic.ports.embedding import embedded

if TYPE_CHECKING:
    from veridic.ports.embedding import Embeds
    from veridic.text.followups import Near


UNKNOWN = 0.5
"""The cosine that is taken of every text under another embedder."""


def near_question(question: str, texts: Sequence[str], embedder: Embeds) -> list[float]:
    """The cosine of each text with a question, as a sign of whether it answers that. Raises `EmbedderFailed`."""
    if embedder.fingerprint != FITTED_FOR:
        return [UNKNOWN] * len(texts)
    return list(nearness(embedder)(question, texts))


def nearness(embedder: Embeds) -> Near:
    """The cosines of a text with others. The function raises `EmbedderFailed`."""

    def near(text: str, others: Sequence[str]) -> list[float]:
        vectors = embedded(embedder, [text, *others])
        return [float(cosine) for cosine in vectors[1:] @ vectors[0]]

    return near
