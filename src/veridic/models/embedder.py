"""The embedder that ships: all-MiniLM-L6-v2 in 8 bits."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veridic.models.onnx_encoder import MAX_TOKENS, SHIPPED, OnnxEncoder
from veridic.ports.embedding import Embedder, embedded
from veridic.runtime.kept import Recent

REMEMBERED = 4096
"""Texts whose vectors are kept, 1.5 KB each: a question and its passages are asked for in step after step."""


class OnnxEmbedder:
    """Texts to unit vectors; what lies past 256 tokens of a text is not read.

    A text has the same vector to the last bit whichever texts come with it, so one that is
    remembered is as good as one that is computed.
    """

    def __init__(self, folder: Path = SHIPPED / "embedder", *, threads: int = 0) -> None:
        """Weights are loaded by the first `embed`; `threads` 0 means all."""
        self._encoder = OnnxEncoder(folder, threads=threads)
        self.fingerprint = self._encoder.fingerprint
        """Names the weights; an index belongs to one fingerprint."""
        self.dimension = int(self._encoder.card["dimensions"])
        """Length of a vector."""
        self._recent = Recent[str, "NDArray[np.float32]"](REMEMBERED)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts; float32 of shape (len(texts), dimension), rows of length 1."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.stack(self._recent.of(texts, self._computed))

    def know(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """See `Embedder`."""
        self._recent.keep(dict(zip(texts, vectors, strict=True)))

    def _computed(self, texts: list[str]) -> list[NDArray[np.float32]]:
        return self._encoder.of_texts(texts, "embedding", most=MAX_TOKENS, deadline=float("inf"))


def cosines(embedder: Embedder, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
    """The cosine of the texts of each pair, [n]; each distinct text is embedded once."""
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    rows = dict(zip(texts, embedded(embedder, texts), strict=True))
    return np.array([rows[first] @ rows[second] for first, second in pairs], dtype=np.float32)
