"""Unit vectors by id, and how they are searched: all of them while they are few, else the lists nearest to the query.

Many vectors lie in FAISS's inverted lists, each vector in the list of the nearest of some centres. A search looks
through the nearest lists alone; how many was settled by measurement. Looked through all of them it is exact: that is
how a scope is searched, what recall is measured against, and what is done where no half of the lists is enough.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isqrt
from typing import TYPE_CHECKING, Any

from veridic.knowledge.searchable import Searchable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FaissIndex = Any
"""A FAISS index; faiss is not typed."""

EXACT_UP_TO = 50_000
"""Chunks up to which every vector is compared: 3 ms on two cores with 384 numbers each, 6 ms for twice as many."""

MIN_RECALL = 0.95
"""The share of the nearest that must be found."""

NEAREST = 50
"""How many of the nearest recall is measured on: as many as a search asks for."""

NOISE = 1.5
"""Length of the noise that makes a question of a stored vector: its cosine is then 0.55, as a question's with its
passage. Recall on the vectors themselves says too much where texts are held in many versions: 0.98 where that of
questions was 0.35."""

GROWTH = 2
"""How many times the vectors it was made for an index holds when it is made again."""

ASKED = 300
"""Stored vectors of which questions are made to measure recall."""

TRAINED_ON = 40
"""Vectors for each list of which the centres are made."""

_ROUNDING = 1e-6


@dataclass(frozen=True)
class Layout:
    """How an index is searched, and what was measured when it was made."""

    chunks: int = 0
    """How many the lists were made for."""
    lists: int = 0
    """0: there are none, every vector is compared."""
    probes: int = 0
    """Lists that a search looks through."""
    recall: float = 1.0
    """The share found of the `NEAREST` vectors nearest to what stands for a question."""

    def outgrown(self, count: int, exact_up_to: int) -> bool:
        """Whether an index over `count` vectors is better made again."""
        if count <= exact_up_to:
            return self.lists > 0 and 2 * count <= exact_up_to
        return self.lists == 0 or count >= GROWTH * self.chunks

    def __str__(self) -> str:
        """`exact`, or that it is not, with its recall."""
        if self.probes == self.lists:
            return "exact"
        return f"approximate, {self.recall:.1%} of the {NEAREST} nearest found"


class VectorIndex:
    """Vectors by id. Not safe for threads."""

    def __init__(self, faiss_index: FaissIndex, layout: Layout) -> None:
        self.faiss_index = faiss_index
        self.layout = layout

    def __len__(self) -> int:
        return int(self.faiss_index.ntotal)

    def ids(self) -> set[int]:
        """The ids of all vectors."""
        import faiss

        if not self.layout.lists:
            return {int(one) for one in faiss.vector_to_array(self.faiss_index.id_map)}
        lists = self.faiss_index.invlists
        filled = (place for place in range(lists.nlist) if lists.list_size(place))
        return {int(one) for at in filled for one in faiss.rev_swig_ptr(lists.get_ids(at), lists.list_size(at))}

    def add(self, ids: "NDArray[np.int64]", vectors: "NDArray[np.float32]") -> None:
        """Take in vectors of length 1 whose ids are not there; shape (len(ids), dimension)."""
        self.faiss_index.add_with_ids(vectors, ids)

    def remove(self, ids: Sequence[int]) -> None:
        """Drop the vectors with these ids; one that is not there is passed over."""
        import numpy as np

        self.faiss_index.remove_ids(np.asarray(ids, dtype=np.int64))

    def nearest(
        self, vectors: "NDArray[np.float32]", limit: int, *, only: Sequence[int] | None = None
    ) -> list[list[tuple[int, float]]]:
        """For each unit vector `limit` ids with their cosines, nearest first; all there are where these are fewer.

        With `only` the nearest of these ids, found exactly.
        """
        held = len(self) if only is None else len(only)
        limit = min(limit, held)
        if limit < 1:
            return [[] for _ in vectors]
        chosen = only if only is not None and held < len(self) else None
        probes = self.layout.probes if chosen is None else self.layout.lists
        cosines, ids = self.searched(vectors, limit, probes, only=chosen)
        short = ids[:, -1] < 0
        if probes < self.layout.lists and short.any():  # what lay in the nearest lists was removed
            cosines[short], ids[short] = self.searched(vectors[short], limit, self.layout.lists)
        return [
            [(int(chunk), float(cosine)) for chunk, cosine in zip(row, scores, strict=True) if chunk >= 0]
            for row, scores in zip(ids, cosines, strict=True)
        ]

    def searched(
        self, vectors: "NDArray[np.float32]", limit: int, probes: int, *, only: Sequence[int] | None = None
    ) -> "tuple[NDArray[np.float32], NDArray[np.int64]]":
        """Cosines and ids in `probes` lists, nearest first, each of shape (len(vectors), limit); id -1 is none."""
        import faiss
        import numpy as np

        given: dict[str, Any] = {}
        if only is not None:
            given["sel"] = faiss.IDSelectorBatch(np.asarray(only, dtype=np.int64))
        if self.layout.lists:
            given["nprobe"] = probes
        kind = faiss.SearchParametersIVF if self.layout.lists else faiss.SearchParameters
        cosines, ids = self.faiss_index.search(vectors, limit, params=kind(**given))
        return cosines, ids


def built(vectors: Searchable, exact_up_to: int) -> VectorIndex:
    """An index over all of these vectors, of the kind their number asks for. Raises `StoreDamaged`."""
    count = vectors.count()
    if count <= exact_up_to:
        return _filled(_every_one(vectors.dimension), vectors)
    lists = min(2 * isqrt(count), count)
    drawn = vectors.sample(max(TRAINED_ON * lists, ASKED))
    index = _filled(_in_lists(drawn[: TRAINED_ON * lists], count, lists), vectors)
    index.layout = measured(index, _questions(drawn[:ASKED]))
    return index


def measured(index: VectorIndex, asked: "NDArray[np.float32]") -> Layout:
    """Its layout with the fewest lists, doubled each time, that find enough of the nearest of these unit vectors."""
    lists, probes = index.layout.lists, 1
    count = min(NEAREST, len(index))
    exact = index.searched(asked, count, lists)[0]
    while probes <= lists // 2:
        recall = _recall(index.searched(asked, count, probes)[0], exact)
        if recall >= MIN_RECALL:
            return replace(index.layout, probes=probes, recall=recall)
        probes *= 2
    return replace(index.layout, probes=lists, recall=1.0)


def _recall(found: "NDArray[np.float32]", exact: "NDArray[np.float32]") -> float:
    """Share of the nearest that are as near as the last of the exact ones; one as near is as good."""
    return float((found >= exact[:, -1:] - _ROUNDING).mean())


def _questions(vectors: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """Unit vectors, as near to these as questions are to passages; the same ones for the same."""
    import numpy as np

    noise = np.random.default_rng(0).standard_normal(vectors.shape, dtype=np.float32)
    mixed = vectors + NOISE * noise / np.linalg.norm(noise, axis=1, keepdims=True)
    unit: NDArray[np.float32] = mixed / np.linalg.norm(mixed, axis=1, keepdims=True)
    return unit


def _every_one(dimension: int) -> VectorIndex:
    import faiss

    return VectorIndex(faiss.IndexIDMap2(faiss.IndexFlatIP(dimension)), Layout())


def _in_lists(drawn: "NDArray[np.float32]", count: int, lists: int) -> VectorIndex:
    """An empty index whose centres are those of the vectors drawn."""
    import faiss

    dimension = drawn.shape[1]
    index = faiss.IndexIVFFlat(faiss.IndexFlatIP(dimension), dimension, lists, faiss.METRIC_INNER_PRODUCT)
    index.cp.spherical = True
    index.cp.min_points_per_centroid = 1
    index.train(drawn)
    return VectorIndex(index, Layout(count, lists))


def _filled(index: VectorIndex, vectors: Searchable) -> VectorIndex:
    for ids, batch in vectors.batches():
        index.add(ids, batch)
    return index
