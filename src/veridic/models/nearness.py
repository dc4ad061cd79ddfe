"""How near a text is to its question: the embedder's word beside the judge's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from veridic.ports.embedding import embedded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from veridic.ports.embedding import Embedder

NEARNESS = 6.0
"""Logits that a cosine of 1 adds: what new judges are exported with; measured in docs/decisions.md."""


def cosines(embedder: Embedder, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
    """The cosine of the texts of each pair, [n]; each distinct text is embedded once."""
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    rows = dict(zip(texts, embedded(embedder, texts), strict=True))
    return np.array([rows[first] @ rows[second] for first, second in pairs], dtype=np.float32)
