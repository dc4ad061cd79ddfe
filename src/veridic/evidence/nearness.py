"""How near phrases are, as the embedder sees them: what the rules for follow-ups ask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from veridic.ports.embedding import embedded

if TYPE_CHECKING:
    from veridic.ports.embedding import Embeds
    from veridic.text.followups import Near


def nearness(embedder: Embeds) -> Near:
    """The cosines of a text with others."""

    def near(text: str, others: Sequence[str]) -> list[float]:
        vectors = embedded(embedder, [text, *others])
        return [float(cosine) for cosine in vectors[1:] @ vectors[0]]

    return near
