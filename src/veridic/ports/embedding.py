"""Texts to vectors: what an embedder is, and how one of any make is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from veridic.errors import EmbedderFailed, VeridicError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray


class Embeds(Protocol):
    """What makes vectors of texts."""

    @property
    def fingerprint(self) -> str:
        """Names the weights; an index belongs to one fingerprint."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts; float32 of shape (len(texts), dimension), rows of length 1."""


class Embedder(Embeds, Protocol):
    """Texts to unit vectors, whose length is known; vectors that it made before may be given back to it."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    def know(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Be told vectors that it made of these texts before; it may keep them and not embed the texts again."""


def cosines(embedder: Embeds, text: str, others: Sequence[str]) -> list[float]:
    """How near a text is to each of others. Raises `EmbedderFailed`."""
    vectors = embedded(embedder, [text, *others])
    return [float(cosine) for cosine in vectors[1:] @ vectors[0]]


def embedded(embedder: Embeds, texts: Sequence[str]) -> NDArray[np.float32]:
    """What the embedder makes of the texts, a row each. Raises `EmbedderFailed` whatever it raises."""
    try:
        return embedder.embed(texts)
    except VeridicError:
        raise
    except Exception as error:
        raise EmbedderFailed(
            f"The embedder failed ({type(error).__name__}).", "Try it alone: `embedder.embed(['a text'])`."
        ) from error
