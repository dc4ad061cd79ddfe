"""Asking an embedder, of whosever making."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from veridic.errors import EmbedderFailed, VeridicError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray


class Embeds(Protocol):
    """Of `veridic.protocols.Embedder` what is asked here."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts, a row each."""
        ...


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
