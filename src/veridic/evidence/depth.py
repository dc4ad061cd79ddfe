"""How deep into a ranking passages are taken: to a fixed depth, and there only what is near.

Every passage that is taken is judged, so depth costs time.
"""

from __future__ import annotations

from collections.abc import Sequence

from veridic.evidence.evidence import headed
from veridic.ports.embedding import Embeds, cosines
from veridic.ports.shapes import Passage

FIXED = 8
"""Passages where no rule was fitted for the embedder, and of what opens a document."""
FITTED_FOR = "8fd160d230463e28"
"""Fingerprint of the embedder whose cosines `GAP` was fitted on."""
FIRST = 3
"""The first of the ranking that are always taken: what has the question's words need not be near."""
GAP = 0.3
"""By so much the cosine of question and passage may lie under that of the nearest."""
MOST = 9
"""Passages at most; the gap tells how many are worth judging."""


def depth_of(embedder: Embeds) -> int:
    """Passages that are retrieved for a query, at most."""
    return MOST if embedder.fingerprint == FITTED_FOR else FIXED


def near(query: str, ranked: Sequence[Passage], embedder: Embeds) -> list[Passage]:
    """Of a ranking the first passages and all that are hardly further from the query than the nearest, in order.

    Everything under an embedder that no gap was fitted for.
    """
    if len(ranked) <= FIRST or embedder.fingerprint != FITTED_FOR:
        return list(ranked)
    found = cosines(embedder, query, [headed(passage, passage["text"]) for passage in ranked])
    least = max(found) - GAP
    return [one for place, one in enumerate(ranked) if place < FIRST or found[place] >= least]
