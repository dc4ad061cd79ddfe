"""Vector search: an HNSW index of half the precision finds, the vectors as they are stored decide.

The `embedding` columns are pgvector's `vector`: float32, bit for bit what the embedder gave. The index is of their
`halfvec`, over one namespace's partition, so that a small namespace beside a large one is searched as if it were alone.
Under a filter the scan goes on until enough is found.
"""

from typing import TYPE_CHECKING

from veridic.knowledge.connection import Connection, Members
from veridic.knowledge.postgres.partitions import partition
from veridic.knowledge.vectors import check_embedder, packed
from veridic.ports.embedding import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LARGEST = 4000
"""Dimensions that an index of `halfvec` can have; larger vectors are all compared."""

FEW = 1_000
"""Chunks of a namespace, or a scope, up to which each is compared; so it is where as many are wanted as there are."""
VISITED = 3
"""What a neighbour costs that the index looks at, where a chunk that is compared costs 1."""

WIDTH = 1000
"""Neighbours that a search keeps (`hnsw.ef_search`), the most that pgvector lets it.

Among a million chunks it finds .96 of the nearest ten in 5 ms, with 200 it finds .80 in 2."""

FARTHEST = 100_000
"""Neighbours that are looked at, at most, where a scope holds few of them (`hnsw.max_scan_tuples`)."""

BUILT_IN = 512 << 20
"""Bytes of memory for making an index, unless the server's `maintenance_work_mem` is more: some 300,000 vectors of 384
dimensions. Where half of them fit it takes twice as long."""

_SEARCHABLE = "status = 'active' AND kind != 'outside' AND vector_dims(embedding) = {dimension}"
"""Of chunks: the index holds them."""


def index_vectors(connection: Connection, dimension: int) -> None:
    """Make the index of the namespace's vectors anew, in the open transaction, for vectors of so many dimensions."""
    chunks = partition("chunks", connection.namespace)
    connection.execute(f"DROP INDEX IF EXISTS {chunks}_nearest")
    if dimension <= LARGEST:
        connection.execute(
            """
            SELECT set_config('maintenance_work_mem', greatest(own, ?) / 1024 || 'kB', true)
            FROM pg_size_bytes(current_setting('maintenance_work_mem')) AS own
            """,
            (BUILT_IN,),
        )
        connection.execute(
            f"""
            CREATE INDEX {chunks}_nearest ON {chunks}
            USING hnsw ((embedding::halfvec({dimension})) halfvec_ip_ops)
            WHERE {_SEARCHABLE.format(dimension=dimension)}
            """
        )


class HalfvecIndex:
    """The active chunks of a connection's namespace, by cosine; a `vectors.VectorIndex` that holds nothing itself."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def search(
        self, connection: Connection, vectors: "NDArray[np.float32]", limit: int, *, members: Members | None = None
    ) -> list[list[tuple[int, float]]]:
        """See `vectors.VectorIndex.search`."""
        check_embedder(connection, self._embedder)
        if limit < 1:
            return [[] for _ in vectors]
        connection.execute(
            """
            SELECT set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', ?, true),
                set_config('hnsw.max_scan_tuples', ?, true)
            """,
            (str(WIDTH), str(FARTHEST)),
        )
        statement = self._statement(connection, members, limit)
        values = {"limit": limit, "members": [] if members is None else list(members.chunks)}
        found = (connection.execute(statement, {**values, "vector": vector}) for vector in packed(vectors))
        return [[(row["id"], row["cosine"]) for row in rows] for rows in found]

    def _statement(self, connection: Connection, members: Members | None, limit: int) -> str:
        """What finds the nearest: of few chunks by all their vectors, else by the index, then by the vectors.

        Twice as many are found as are wanted, for half precision takes some near ones for equal. Of equals the newest
        comes first, as FAISS has it.
        """
        dimension = self._embedder.dimension
        chunks, which = partition("chunks", connection.namespace), _SEARCHABLE.format(dimension=dimension)
        by_index = f"embedding::halfvec({dimension}) <#> :vector::halfvec({dimension})"
        exact = _few(connection, chunks, members, 2 * limit)
        return f"""
            SELECT id, -(embedding <#> :vector) AS cosine FROM (
                SELECT id, embedding FROM {chunks}
                WHERE {which} {"" if members is None else "AND id = ANY(:members)"}
                ORDER BY {"embedding <#> :vector" if exact else by_index} LIMIT 2 * :limit
            ) AS near ORDER BY cosine DESC, id DESC LIMIT :limit
        """


def _few(connection: Connection, chunks: str, members: Members | None, wanted: int) -> bool:
    """Whether comparing each costs less than the index, which in a scope has to look at many that are not in it."""
    if members is None:
        most = max(FEW, wanted)
        query = f"SELECT count(*) FROM (SELECT 1 FROM {chunks} WHERE status = 'active' LIMIT {most + 1}) AS first"
        return int(connection.execute(query).fetchone()[0]) <= most
    own, query = len(members.chunks), f"SELECT reltuples FROM pg_class WHERE oid = '{chunks}'::regclass"
    return own <= FEW or own * own <= VISITED * wanted * connection.execute(query).fetchone()[0]
